import { MantineProvider } from '@mantine/core'
import { Task } from '@ordinator/model/areas/tasks/task'
import type { ListMeta } from '@ordinator/model/client'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ListState } from '../listState.ts'
import { Pager } from './Pager.tsx'

const words = (meta: Partial<ListMeta>, page = 1): string => {
  const state = { page, limit: 20 } as ListState
  const shown = { currentPage: page, perPage: 20, hasMore: true, ...meta } as ListMeta
  const html = renderToStaticMarkup(
    <MantineProvider>
      <Pager entity={Task} meta={shown} state={state} onChange={() => {}} />
    </MantineProvider>,
  )
  return (/aria-live="polite">([^<]*)</.exec(html)?.[1] ?? '').replaceAll('\u00a0', ' ')
}

test('a page shows its total, and beyond the counting limit that there are more', () => {
  expect(words({ totalCount: 345 })).toBe('1–20 из 345 задач')
  expect(words({ totalCount: 10_000 })).toBe('1–20 из 10 000 задач')
  expect(words({ totalCount: 10_000, totalIsMore: true })).toBe('1–20 из 10 000+ задач')
  expect(words({ totalCount: 10_000, totalIsMore: true }, 3)).toBe('41–60 из 10 000+ задач')
})
