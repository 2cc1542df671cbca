//! What is wrong with a rule sheet.
