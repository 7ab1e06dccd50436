#!/usr/bin/env python3
"""The published rmap-test runs at a small size, with both reverse maps."""
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, 'tests')
import rmap_shape

sys.exit(rmap_shape.run('--size', 'small'))
