import { RegulationRun, RunStep } from '@ordinator/model/areas/regulations/run'
import { records } from '../../records/define.ts'
import { runScope } from './scope.ts'

export const runs = records(RegulationRun, { scope: runScope })
export const runSteps = records(RunStep)
