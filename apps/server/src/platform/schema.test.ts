import { expect, test } from 'vitest'
import { besides, inSchema, schemaOf, splitOptions } from './schema.ts'

test('a schema is given in the address of its database, beside what the address has', () => {
  expect(schemaOf('postgres://a@b/c')).toBe('public')
  for (const url of ['postgres://a@b/c', 'postgres://a:p@/c?host=/run/pg&port=5433']) {
    const training = inSchema(url, 'training')
    expect(schemaOf(training)).toBe('training')
    expect(splitOptions(training)).toEqual({ url, options: '-c search_path=training,public' })
  }
  expect(splitOptions('postgres://a@b/c?options=-c%20jit%3Doff&sslmode=require')).toEqual({
    url: 'postgres://a@b/c?sslmode=require',
    options: '-c jit=off',
  })
  expect([besides('public', 'jobs'), besides('training', 'jobs')]).toEqual(['jobs', 'jobs_training'])
})
