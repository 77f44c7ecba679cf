"""The front door: what the command line does, one function each; `import nashgap` offers them all."""
