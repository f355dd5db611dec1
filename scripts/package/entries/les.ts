import './older-node.ts'
import '../../../packages/cli/src/main.ts'
