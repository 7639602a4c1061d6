/** A clinic of every earlier version is upgraded: nothing is lost, and it works. */

import { entities } from '@ordinator/model/entities'
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { migrate } from '#platform/migrate.ts'
import { checkColumns } from '#records/drift.ts'
import { good } from '#testing/good.ts'
import { testApp } from '#testing/harness.ts'
import { loadVersion, versions } from '#testing/versions.ts'

test.for(await versions())('a clinic of version %s is upgraded with all its rows', async (version) => {
  let before = new Map<string, number>()
  const clinic = await testApp({
    async fill(db) {
      before = await loadVersion(db, version)
      await migrate(db)
    },
  })
  await checkColumns(clinic.db, entities)
  const lost: string[] = []
  for (const [table, rows] of before) {
    const there = await clinic.db.one<{ is: boolean }>(
      sql`select to_regclass(${`public."${table}"`}) is not null as is`,
    )
    if (!there?.is) continue
    const now = await clinic.db.one<{ rows: number }>(sql`select count(*)::int as rows from ${raw(`"${table}"`)}`)
    if ((now?.rows ?? 0) < rows) lost.push(`${table}: ${rows} → ${now?.rows}`)
  }
  expect(lost).toEqual([])
  const admin = clinic.as('admin')
  for (const { path } of entities) good(await admin.get(`/${path}?limit=5`))
  await clinic.close()
})
