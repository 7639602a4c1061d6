/** What the area of scripts publishes to others: walking through one. */

export { ScriptWalk } from './ScriptWalk.tsx'
