import { Violation } from '@ordinator/model/areas/regulations/run'
import { records } from '../../records/define.ts'
import { violationScope } from './scope.ts'

export const violations = records(Violation, { scope: violationScope })
