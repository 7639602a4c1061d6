import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TagChips } from './TagChips.tsx'

const words = (count: number, max?: number): string =>
  renderToStaticMarkup(
    <MantineProvider>
      <TagChips
        tags={['ВИП', 'Долг', 'Аллергия', 'Новый', 'Дети'].slice(0, count).map((name, id) => ({ id, name }))}
        max={max}
      />
    </MantineProvider>,
  )
    .replace(/<style.*?<\/style>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

test('three tags are shown by their names, of the rest the number, and for screen readers the names', () => {
  expect(words(3)).toBe('ВИП Долг Аллергия')
  expect(words(5)).toBe('ВИП Долг Аллергия +2 ещё: Новый, Дети')
  expect(words(5, 1)).toBe('ВИП +4 ещё: Долг, Аллергия, Новый, Дети')
  expect(words(0)).toBe('')
})
