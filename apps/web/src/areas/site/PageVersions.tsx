import { Badge } from '@mantine/core'
import { blockTypes, type Block as SiteBlock } from '@ordinator/model/areas/site/blocks'
import { SitePage, SiteVersion } from '@ordinator/model/areas/site/page'
import type { Row } from '@ordinator/model/entity'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { plainText } from '#records/fields/richText.tsx'
import { WordDifference } from '#records/history/WordDifference.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useList } from '#records/reads.ts'
import { useSave } from '#records/writes.ts'

const SHOWN = 50

/** Published versions with authors and differences to the draft; restore. */
export function PageVersions({ page }: { page: Row<typeof SitePage> }) {
  const versions = useList(SiteVersion, {
    filter: { idPage: page.id },
    sort: '-number',
    limit: SHOWN,
    expand: ['user'],
  })
  const [open, setOpen] = useState<number>()
  const [restoring, setRestoring] = useState<number>()
  const mayEdit = useCan('update', SitePage)
  const cache = useQueryClient()
  const save = useSave(SitePage, { optimistic: false })
  if (versions.isPending) return <LinesSkeleton lines={4} />
  if (versions.isError) return <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
  if (versions.data.items.length === 0)
    return <EmptyState title="Страницу ещё не публиковали" text="Каждая публикация останется здесь версией" />
  const restore = async (number: number) => {
    setRestoring(number)
    await api('POST /client/pages/:id/restore', { params: { id: page.id }, body: { number, _version: page._version } })
      .then(async () => {
        await cache.invalidateQueries({ queryKey: [SitePage.path] })
        notify.undo(`Версия ${number} теперь в черновике: проверьте и опубликуйте`, () =>
          save.mutate({ id: page.id, blocks: page.blocks }),
        )
      })
      .catch(notifyFailure)
    setRestoring(undefined)
  }
  return (
    <VStack gap={8} component="ul" aria-label="Версии страницы" maw={900}>
      {versions.data.items.map((version) => (
        <Block key={version.id} component="li" framed p={12}>
          <HStack justify="space-between" wrap>
            <div>
              <strong>Версия {version.number}</strong>{' '}
              {version.isCurrent && (
                <Badge color="teal" variant="light">
                  На сайте
                </Badge>
              )}
              <Fine component="div">
                {formatDateTime(version.dateCreate)} · {version.user && <UserLink user={version.user} />}
              </Fine>
            </div>
            <HStack gap={8}>
              <ActionButton
                label={open === version.id ? 'Скрыть отличия' : 'Сравнить с черновиком'}
                aria-label={`Сравнить с черновиком: версия ${version.number}`}
                aria-expanded={open === version.id}
                variant="default"
                size="compact-sm"
                onClick={() => setOpen(open === version.id ? undefined : version.id)}
              />
              {mayEdit && (
                <ActionButton
                  label="Вернуть в черновик"
                  reverse
                  aria-label={`Вернуть в черновик: версия ${version.number}`}
                  variant="default"
                  size="compact-sm"
                  loading={restoring === version.number}
                  onClick={() => void restore(version.number)}
                />
              )}
            </HStack>
          </HStack>
          {open === version.id && (
            <Block mt={8} className="breaks">
              {wordsOf(version) === wordsOf(page) ? (
                <Muted>Слова и порядок те же</Muted>
              ) : (
                <WordDifference before={wordsOf(version)} after={wordsOf(page)} />
              )}
            </Block>
          )}
        </Block>
      ))}
    </VStack>
  )
}

/** Text of a page by block, for comparison. */
function wordsOf({ title, slug, blocks }: { title: string; slug: string | null; blocks: SiteBlock[] | null }): string {
  const textsOf = (values: Record<string, unknown>) =>
    Object.values(values)
      .filter((value) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
      .map((value) => (typeof value === 'string' ? plainText(value) : JSON.stringify(value)))
      .join('\n')
  return [
    `${title} /${slug ?? ''}`,
    ...(blocks ?? []).map(({ type, isOff, values, rows = [] }) =>
      [`[${blockTypes[type].label}${isOff ? ', скрыт' : ''}]`, textsOf(values), ...rows.map(textsOf)].join('\n'),
    ),
  ].join('\n\n')
}
