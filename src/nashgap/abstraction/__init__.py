"""What a smaller game tells apart: hand strength and card abstractions."""
