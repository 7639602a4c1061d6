import { ExpenseArticle } from '@ordinator/model/areas/expenses/expense'
import { articleKinds } from '@ordinator/model/areas/expenses/states'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { useMemo } from 'react'
import { useAddress } from '#base/address.ts'
import { mark } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { Matrix, type MatrixColumn } from '#kit/Matrix.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { useList } from '#records/reads.ts'
import { treeOf } from '#records/tree/groups.ts'

/** Page limit of the records engine; a clinic has some dozens. */
const MAX_ARTICLES = 500

const read = (search: Search) => ({ open: search.open, trash: mark(search.trash) })

interface Line {
  article: Row<typeof ExpenseArticle>
  depth: number
}

const columns: readonly MatrixColumn<Line>[] = [
  { key: 'name', label: 'Статья', cell: ({ article }) => article.name },
  { key: 'kind', label: 'В отчёте о прибыли', left: true, cell: ({ article }) => articleKinds[article.kind] },
  {
    key: 'active',
    label: 'Состояние',
    left: true,
    cell: ({ article }) => (article.active ? 'Действует' : <Muted>Не действует</Muted>),
  },
]

/** Статьи расходов: the tree of categories. */
export default function ArticlesPage() {
  const [{ trash }] = useAddress(read)
  return (
    <RegistryPage
      page={pageByKey('expenseArticles')}
      entity={ExpenseArticle}
      layout={(list) => (
        <Block px="var(--ord-page)" pb="var(--ord-page)">
          {trash ? list : <Articles />}
        </Block>
      )}
    />
  )
}

function Articles() {
  const [, setAddress] = useAddress(read)
  const answer = useList(ExpenseArticle, { sort: ['order', 'id'], limit: MAX_ARTICLES })
  const lines = useMemo<Line[]>(
    () =>
      treeOf((answer.data?.items ?? []).map((article) => ({ ...article, idParentGroup: article.idParent }))).map(
        ({ group, depth }) => ({ article: group, depth }),
      ),
    [answer.data],
  )
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <LinesSkeleton lines={8} />
  if (lines.length === 0) return <EmptyState {...(ExpenseArticle.registry?.empty as { title: string; text: string })} />
  return (
    <Matrix
      label="Статьи расходов"
      columns={columns}
      rows={lines}
      keyOf={({ article }) => article.id}
      levelOf={({ depth }) => depth}
      kindOf={({ article }) => (article.active ? undefined : 'muted')}
      onOpen={({ article }) => setAddress({ open: article.id })}
    />
  )
}
