import { Badge } from '@mantine/core'
import { pagePlaces, SitePage } from '@ordinator/model/areas/site/page'
import type { Row } from '@ordinator/model/entity'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { HStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { SiteLink } from './SiteLink.tsx'

type Line = Row<typeof SitePage>

const columns: readonly ColumnSpec<Line>[] = [
  { key: 'title', width: 300 },
  { key: 'slug', width: 200, cell: ({ slug, isHome }) => (isHome ? <Muted>главная</Muted> : slug && `/${slug}`) },
  {
    key: 'publishedNumber',
    label: 'На сайте',
    width: 260,
    align: 'left',
    cell: ({ publishedNumber, isChanged }) => (
      <HStack gap={8}>
        {publishedNumber === null ? (
          <Muted>черновик</Muted>
        ) : (
          <>
            версия {publishedNumber}
            {isChanged && (
              <Badge color="yellow" variant="light">
                есть правки
              </Badge>
            )}
          </>
        )}
      </HStack>
    ),
  },
  { key: 'place', width: 150, cell: ({ place }) => pagePlaces[place] },
  { key: 'dateChange', width: 150 },
]

/** Страницы сайта: the list of pages. */
export default function PagesPage() {
  return (
    <RegistryPage
      page={pageByKey('clientPages')}
      entity={SitePage}
      columns={columns}
      tools={<SiteLink />}
      pageOf={(id) => pagePath('clientPage', { id })}
    />
  )
}
