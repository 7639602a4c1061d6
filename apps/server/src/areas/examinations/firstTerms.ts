import { Dictionary, DictionaryTerm, ICD10 } from '@ordinator/model/areas/examinations/dictionary'
import sql from 'sql-template-tag'
import { systemActor } from '../../records/actor.ts'
import type { AppContext } from '../../records/context.ts'
import { ICD10_FROM, ICD10_SOURCE, icd10Terms } from './icd10Terms.ts'

/** Any number: of several processes that start at once one writes. */
const LOCK = 7_236_004_823

/** Puts the codes that come with the program into a base that has no МКБ-10 yet. */
export async function giveFirstTerms(app: AppContext): Promise<void> {
  const there = sql`select 1 from dictionaries where "code" = ${ICD10}`
  if (await app.db.one(there)) return
  await app.engine.for(systemActor).tx(async (records, tx) => {
    await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK] })
    if (await tx.one(there)) return
    const { id: idDictionary } = await records.create(Dictionary, { name: 'МКБ-10', code: ICD10, source: ICD10_SOURCE })
    await records.asSystem.createMany(
      DictionaryTerm,
      icd10Terms().map((term) => ({ ...term, idDictionary, dateFrom: ICD10_FROM })),
      { pastHooks: 'They are written as they are kept' },
    )
  })
}
