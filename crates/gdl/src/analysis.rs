//! What engines want to know about a program.
