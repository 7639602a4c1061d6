/** Public parts of the scripts area: following a script. */

export { ScriptWalk } from './ScriptWalk.tsx'
