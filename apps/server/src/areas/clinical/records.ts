/** The register of clinical recommendations and the doctors' answers. */
import {
  ClinicalAnswer,
  ClinicalChoice,
  ClinicalCriterion,
  ClinicalRecommendation,
  type ClinicalResult,
  reasonLack,
} from '@ordinator/model/areas/clinical/clinical'
import { Examination } from '@ordinator/model/areas/examinations/examination'
import { forbidden, ValidationError } from '#platform/errors.ts'
import { records, type WriteContext } from '#records/define.ts'

/** @throws HttpError 403 if the examination is another doctor's */
async function assertOwn(
  { actor, records }: Pick<WriteContext, 'actor' | 'records'>,
  idExamination: number,
): Promise<void> {
  if (actor.system) return
  const { idUser } = await records.asSystem.row(Examination, idExamination)
  if (idUser !== actor.id) throw forbidden('По рекомендациям отвечает врач, который ведёт осмотр')
}

const assertReason = (result: ClinicalResult, reason: string | null | undefined): void => {
  const lack = reasonLack(result, reason)
  if (lack) throw new ValidationError([{ field: 'reason', message: lack }])
}

const examinationOf = async ({ records }: Pick<WriteContext, 'records'>, idChoice: number): Promise<number> =>
  (await records.asSystem.row(ClinicalChoice, idChoice)).idExamination

export const clinicalRecords = [
  records(ClinicalRecommendation),
  records(ClinicalCriterion),
  records(ClinicalChoice, {
    hooks: {
      beforeCreate: (context, { idExamination }) => assertOwn(context, idExamination),
      beforeDelete: (context, { idExamination }) => assertOwn(context, idExamination),
    },
  }),
  records(ClinicalAnswer, {
    hooks: {
      async beforeCreate(context, value) {
        await assertOwn(context, await examinationOf(context, value.idChoice))
        const criterion = await context.records.asSystem.row(ClinicalCriterion, value.idCriterion)
        const chosen = await context.records.asSystem.row(ClinicalChoice, value.idChoice)
        if (criterion.idRecommendation !== chosen.idRecommendation)
          throw new ValidationError([{ field: 'idCriterion', message: 'Критерий другой рекомендации' }])
        assertReason(value.result, value.reason)
      },
      async beforeUpdate(context, value, before) {
        await assertOwn(context, await examinationOf(context, before.idChoice))
        assertReason(value.result ?? before.result, value.reason === undefined ? before.reason : value.reason)
      },
    },
  }),
] as const
