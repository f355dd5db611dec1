/** The command line as one file. */
import './older-node.ts'
import '../../../packages/cli/src/main.ts'
