import {
  RegulationFile,
  RegulationStep,
  StepDocument,
  StepImage,
  StepResponsible,
  StepScript,
} from '@ordinator/model/areas/regulations/step'
import sql from 'sql-template-tag'
import { records } from '../../records/define.ts'
import { fileComputed } from '../files/index.ts'
import { regulationFileScope } from './scope.ts'

export const steps = records(RegulationStep)

export const stepParts = [
  records(RegulationFile, { scope: regulationFileScope, computed: fileComputed }),
  records(StepImage, { computed: { url: ({ row }) => sql`'/files/' || ${row}."idFile"` } }),
  records(StepDocument),
  records(StepScript),
  records(StepResponsible),
]
