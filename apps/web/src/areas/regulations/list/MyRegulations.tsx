import { Title } from '@mantine/core'
import type { UserRegulation } from '@ordinator/model/areas/regulations/wire'
import { IconBook2 } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useActor } from '#base/session.ts'
import { formatDate } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { APP } from '#kit/root.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { regulationHref } from '../address.ts'
import { Chip } from '../Chip.tsx'
import { useUserRegulations } from '../calls.ts'
import { isLate } from '../reads/late.ts'
import { StatusChip } from '../StatusChip.tsx'
import { toastLoadFailed } from '../toasts.ts'
import classes from './MyRegulations.module.css'

/** The user's regulations: to read, to review, responsible for; by due date. */
export function MyRegulations({ onOpen }: { onOpen: (id: number) => void }) {
  const actor = useActor()
  const list = useUserRegulations()
  useEffect(() => {
    if (list.error) toastLoadFailed(list.error)
  }, [list.error])
  if (list.isPending) return <LinesSkeleton lines={5} />
  if (list.isError)
    return <ErrorState title="Ошибка при загрузке данных" error={list.error} onRetry={() => void list.refetch()} />
  const groups = groupsOf(list.data, actor.id)
  if (groups.length === 0)
    return (
      <EmptyState
        icon={IconBook2}
        title="Регламентов для вас нет"
        text="Здесь появятся регламенты, с которыми нужно ознакомиться, которые вы согласуете или за которые отвечаете"
      />
    )
  return (
    <VStack gap={20}>
      {groups.map(({ title, items }) => (
        <section key={title} aria-label={title}>
          <Title order={2} size="h3" mb={8}>
            {title} <Muted>{items.length}</Muted>
          </Title>
          <Block component="ul" framed>
            {items.map((one) => (
              <li key={one.id} className={classes.row}>
                <a
                  className={classes.name}
                  href={`${APP}${regulationHref(one.id)}`}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return
                    event.preventDefault()
                    onOpen(one.id)
                  }}
                >
                  {one.name}
                </a>
                <HStack component="span" gap="4px 12px" wrap>
                  <Due of={one} />
                  <Muted>{one.type}</Muted>
                  <StatusChip status={one.status} />
                </HStack>
              </li>
            ))}
          </Block>
        </section>
      ))}
    </VStack>
  )
}

/** Reading deadline, or the date of reading. */
function Due({ of: { read } }: { of: UserRegulation }) {
  if (!read) return null
  if (read.dateRead)
    return (
      <Muted>
        ознакомлен {formatDate(read.dateRead)}
        {read.score !== null && `, тест ${read.score} %`}
      </Muted>
    )
  if (!read.dateDue) return <Chip color="yellow">ознакомиться</Chip>
  return isLate(read.dateDue) ? (
    <Chip color="red">просрочено с {formatDate(read.dateDue)}</Chip>
  ) : (
    <Chip color="yellow">до {formatDate(read.dateDue)}</Chip>
  )
}

/** Each regulation is listed once, in its most demanding group. */
function groupsOf(all: readonly UserRegulation[], me: number) {
  const placed = new Set<number>()
  const group = (title: string, belongs: (one: UserRegulation) => boolean) => {
    const items = all.filter((one) => !placed.has(one.id) && belongs(one))
    for (const { id } of items) placed.add(id)
    return { title, items }
  }
  return [
    group('Нужно ознакомиться', ({ read }) => read !== null && !read.dateRead),
    group('Ждут вашего решения', ({ status, decision }) => status === 'review' && decision === 'none'),
    group('Вы отвечаете', ({ idResponsibleUser }) => idResponsibleUser === me),
    group('Вы согласуете', ({ decision }) => decision !== null),
    group('Ознакомлены', () => true),
  ]
    .filter(({ items }) => items.length > 0)
    .map(({ title, items }) => ({ title, items: items.toSorted(bySoonest) }))
}

const bySoonest = (a: UserRegulation, b: UserRegulation): number =>
  (a.read?.dateDue ?? '9999').localeCompare(b.read?.dateDue ?? '9999') || a.name.localeCompare(b.name, 'ru')
