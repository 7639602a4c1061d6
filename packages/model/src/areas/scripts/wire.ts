/** Answer of GET /old-scripts/{id}/used: what the asker may see by name, the rest as a number. */
export interface ScriptUses {
  funnels: { id: number; name: string }[]
  steps: { id: number; title: string; idRegulation: number; regulation: string }[]
  hidden: { funnels: number; steps: number }
}

/** A line of the answer of GET /old-scripts/counts; a null group: scripts of none. */
export interface GroupCount {
  idGroup: number | null
  count: number
}
