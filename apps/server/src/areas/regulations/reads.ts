import { RegulationRead } from '@ordinator/model/areas/regulations/regulation'
import { records } from '../../records/define.ts'
import { readScope } from './scope.ts'

export const reads = records(RegulationRead, { scope: readScope })
