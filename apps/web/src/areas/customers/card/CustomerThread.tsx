import { Chip } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { ThreadLine } from '@ordinator/model/areas/customers/threadCalls'
import { User } from '@ordinator/model/areas/staff/user'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { dayOf, formatDate, formatTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { GenericLink } from '#kit/GenericLink.tsx'
import { MoreRows } from '#kit/LoadMore.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import type { PersonLike } from '#kit/UserAvatar.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import { isSealed, SealedCard } from './SealedCard.tsx'

interface Props {
  idCustomer: number
}

/** The maximum page size of the records engine. */
const MAX_PEOPLE = 500

const done: Record<string, string> = {
  create: 'Карта заведена',
  update: 'Изменено',
  delete: 'Карта удалена',
  restore: 'Карта возвращена',
}

/** «Лента»: the patient's timeline, the latest first, with infinite scrolling and a filter by kind. */
export function CustomerThread({ idCustomer }: Props) {
  const [chosen, setChosen] = useState<string[]>([])
  const kinds = chosen.toSorted().join() || undefined
  const thread = useInfiniteQuery({
    queryKey: [Customer.path, 'thread', idCustomer, kinds],
    queryFn: ({ pageParam, signal }) =>
      api(
        'GET /customers/:id/thread',
        { params: { id: idCustomer }, query: { kinds, before: pageParam } },
        { signal, forbidden: 'silent' },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (previous) => previous,
  })
  const items = thread.data?.pages.flatMap((page) => page.items) ?? []
  const people = usePeople(items)
  if (isSealed(thread.error)) return <SealedCard idCustomer={idCustomer} isPart />
  if (thread.isError) return <ErrorState error={thread.error} onRetry={() => void thread.refetch()} />
  if (thread.isPending) return <LinesSkeleton lines={8} />
  const known = thread.data.pages[0]?.kinds ?? []
  const kindName = new Map(known.map(({ kind, name }) => [kind, name]))
  return (
    <VStack gap={16}>
      <Chip.Group multiple value={chosen} onChange={setChosen}>
        <HStack gap={6} wrap role="group" aria-label="Какие события показать">
          {known.map(({ kind, name }) => (
            <Chip key={kind} value={kind} size="xs" variant="outline">
              {name}
            </Chip>
          ))}
        </HStack>
      </Chip.Group>
      {items.length === 0 && <EmptyState title="Событий нет" text="Выберите другие виды событий." />}
      {[...Map.groupBy(items, ({ at }) => dayOf(at))].map(([day, lines]) => (
        <div key={day}>
          <Fine component="h2" fw={500} mb={4}>
            {formatDate(lines[0]?.at)}
          </Fine>
          <Block component="ul" framed>
            {lines.map((line, at) => {
              const author = line.idUser === null ? undefined : people.get(line.idUser)
              return (
                <HStack
                  key={`${line.kind}${line.id}`}
                  component="li"
                  align="baseline"
                  gap={12}
                  px={12}
                  py={8}
                  rule={at ? 'top' : undefined}
                >
                  <Muted className="tabular">{formatTime(line.at)}</Muted>
                  <Block grow miw={0} className="breaks">
                    <GenericLink href={line.link} inText>
                      {titleOf(line)}
                    </GenericLink>{' '}
                    {line.hint && <Muted display="inline-block">{line.hint}</Muted>}
                    <Fine component="div">
                      {kindName.get(line.kind)}
                      {author && (
                        <>
                          {' · '}
                          <UserLink user={author} />
                        </>
                      )}
                    </Fine>
                  </Block>
                </HStack>
              )
            })}
          </Block>
        </div>
      ))}
      <MoreRows list={thread} />
    </VStack>
  )
}

/** Title of a change by its fields. */
function titleOf({ fields, title }: ThreadLine): string {
  if (fields === null) return title
  if (title !== 'update') return done[title] ?? title
  const labels = fields.map((field) => Customer.fields[field as keyof typeof Customer.fields]?.options.label ?? field)
  return labels.length ? `Изменено: ${labels.join(', ')}` : 'Карта изменена'
}

/** Authors of entries, by id. */
function usePeople(lines: readonly ThreadLine[]): Map<number, PersonLike> {
  const ids = [...new Set(lines.flatMap(({ idUser }) => idUser ?? []))].sort((a, b) => a - b).slice(0, MAX_PEOPLE)
  const people = useList(
    User,
    { filter: { id: { in: ids } }, fields: ['id', 'surname', 'name', 'shortFio'], limit: MAX_PEOPLE },
    { forbidden: 'silent', enabled: ids.length > 0 },
  )
  return new Map((people.data?.items ?? []).map((one) => [one.id, one]))
}
