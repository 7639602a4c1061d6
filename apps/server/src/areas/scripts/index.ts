import { OldScript, ScriptGroup } from '@ordinator/model/areas/scripts/script'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'

/** Scripts of conversations. */
export const scripts: Area = { name: 'scripts', records: [records(ScriptGroup), records(OldScript)] }
