"""How good is a strategy?"""
