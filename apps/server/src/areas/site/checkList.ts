/** Checklist of information the clinic must publish, and its state on the site. */
import { siteCalls } from '@ordinator/model/areas/site/calls'
import { type MustHave, mustHaveOn, type SiteFact } from '@ordinator/model/areas/site/mustHave'
import sql, { raw, type Sql } from 'sql-template-tag'
import { publicDoctor, publicFilial, publicService } from '#areas/catalogue/index.ts'
import { clinicToday } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { operation } from '#records/operation.ts'
import { policyInForce, publicDocument, readTheme } from './reads.ts'

/** SQL condition: the site shows it. */
const facts: Record<SiteFact, Sql> = {
  filials: sql`exists (select 1 from filials f where ${publicFilial(raw('f'))} and f."filialPhone" <> '' and f."workingHours" is not null
    and coalesce(nullif(f."filialAddressFact", ''), f."filialAddress") <> '')`,
  prices: sql`exists (select 1 from services s where ${publicService(raw('s'))} and not s."hidePrice")`,
  doctors: sql`exists (select 1 from users u where ${publicDoctor(raw('u'))} and u."idSpeciality" is not null)`,
}

interface Placed {
  today: string
  documents: string[]
  policies: string[]
  filials: boolean
  prices: boolean
  doctors: boolean
}

export async function checkListOf(
  db: Queryable,
): Promise<(Omit<MustHave, 'by' | 'from' | 'to'> & { isPlaced: boolean })[]> {
  const placed = (await db.one<Placed>(sql`select ${clinicToday}::text as "today",
    array(select distinct d."kind" from client_documents d where ${publicDocument(raw('d'))}) as "documents",
    array(select p."kind" from client_policies p where ${policyInForce(raw('p'))}) as "policies",
    ${facts.filials} as "filials", ${facts.prices} as "prices", ${facts.doctors} as "doctors"`)) as Placed
  return mustHaveOn(placed.today).map(({ key, label, how, source, by }) => ({
    ...{ key, label, how, source },
    isPlaced:
      'document' in by
        ? placed.documents.includes(by.document)
        : 'policy' in by
          ? placed.policies.includes(by.policy)
          : placed[by.fact],
  }))
}

export const checkList = operation(siteCalls.checkList, async ({ app }) => {
  const { host, isActive } = await readTheme(app.db.reads)
  const { protocol } = new URL(app.config.publicUrl)
  return { address: host ? `${protocol}//${host}/` : '/site', isActive, items: await checkListOf(app.db.reads) }
})
