import { OldScript, ScriptGroup } from '@ordinator/model/areas/scripts/script'
import type { Records } from '#records/records.ts'
import { demoScripts } from './demoScripts.ts'

/** Scripts of the demo clinic's call centre. */
export async function demo(records: Records): Promise<void> {
  const system = records.asSystem
  const groups = new Map<string, number>()
  for (const { group, ...script } of demoScripts) {
    const idGroup = groups.get(group) ?? (await system.create(ScriptGroup, { name: group })).id
    groups.set(group, idGroup)
    await system.create(OldScript, { ...script, idGroup })
  }
}
