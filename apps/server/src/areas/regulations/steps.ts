import {
  RegulationFile,
  RegulationStep,
  StepDocument,
  StepImage,
  StepResponsible,
  StepScript,
} from '@ordinator/model/areas/regulations/step'
import type { Entity } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { fileRecords } from '#areas/files/index.ts'
import { type Definition, records } from '#records/define.ts'
import { contentHooks } from './changes.ts'
import { regulationFileScope } from './scope.ts'

export const steps = records(RegulationStep, {
  hooks: contentHooks(RegulationStep, ({ idRegulation }) => sql`${idRegulation}::bigint`),
})

/** A part of a step is writable while the regulation is a draft, and its history is recorded with the regulation. */
const part = <E extends Entity>(entity: E, own: Pick<Definition<E>, 'computed'> = {}): Definition =>
  records(entity, {
    ...own,
    about: {
      path: 'regulations',
      id: ({ row }) => sql`(select s."idRegulation" from regulations_steps s where s."id" = ${row}."idStep")`,
    },
    hooks: contentHooks(
      entity,
      ({ idStep }) => sql`(select "idRegulation" from regulations_steps where "id" = ${idStep}::bigint)`,
    ),
  })

export const stepParts = [
  fileRecords(RegulationFile, regulationFileScope),
  part(StepImage, { computed: { url: ({ row }) => sql`'/files/' || ${row}."idFile"` } }),
  part(StepDocument),
  part(StepScript),
  part(StepResponsible),
]
