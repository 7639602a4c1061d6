import { Badge, SegmentedControl, Textarea } from '@mantine/core'
import type { BookingChannel } from '@ordinator/model/areas/outside/channel'
import { ChannelMatch, type MatchKind, matchKinds, matchStates } from '@ordinator/model/areas/outside/match'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { IconChecks, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyTitledFailure } from '#records/notifyFailure.ts'
import { useSave } from '#records/writes.ts'

const LINES = ['строка', 'строки', 'строк'] as const
const targets: Readonly<Record<MatchKind, string>> = { doctor: 'users', service: 'services' }

/** The list of a seller beside ours: what is unknown first, each with what is offered. */
export function Matching({ channel: { id } }: { channel: Row<typeof BookingChannel> }) {
  const cache = useQueryClient()
  const save = useSave(ChannelMatch)
  const [adding, setAdding] = useState(false)
  const found = useQuery({
    queryKey: ['records', ChannelMatch.path, 'of', id],
    queryFn: ({ signal }) => api('GET /booking-channels/:id/matches', { params: { id } }, { signal }),
  })
  const again = () => invalidateRecords(cache, ChannelMatch.path)
  if (found.isError)
    return <ErrorState title="Список не получен" error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LinesSkeleton lines={6} />
  const { items } = found.data
  const offered = items.filter(({ suggestion }) => suggestion).length
  const unknown = items.filter(({ state }) => state === 'new').length
  const choose = async (line: (typeof items)[number], ours: number | null, state?: keyof typeof matchStates) => {
    await save.mutateAsync({
      id: line.id,
      [line.kind === 'doctor' ? 'idUser' : 'idService']: ours,
      ...(state && { state }),
    })
    await again()
  }
  const confirmAll = async () => {
    try {
      const { matched, left } = await api('POST /booking-channels/:id/matches/confirm', { params: { id }, body: {} })
      notify.success(left ? `Осталось разобрать: ${counted(left, LINES)}` : 'Разобрано всё', {
        title: `Сопоставлено: ${counted(matched, LINES)}`,
      })
      await again()
    } catch (error) {
      notifyTitledFailure('Не сопоставлено', error)
    }
  }
  return (
    <VStack gap={16}>
      <Fine>
        Площадка называет врачей и услуги по-своему. Вставьте её список: сопоставим по коду 804н и названию, услуги
        будем передавать под её именами. Что отмечено «Не продаём», она не увидит
      </Fine>
      <HStack wrap>
        <ActionButton
          label="Добавить список…"
          icon={IconPlus}
          variant={items.length ? 'default' : 'filled'}
          onClick={() => setAdding(true)}
        />
        {offered > 0 && (
          <ActionButton label={`Подтвердить предложенное: ${offered}`} icon={IconChecks} onClick={confirmAll} />
        )}
      </HStack>
      {items.length === 0 ? (
        <EmptyState title="Сопоставлять нечего" text="Без списка площадка получает наши названия и коды 804н" />
      ) : (
        <>
          <Fine>{unknown ? `Не сопоставлено: ${counted(unknown, LINES)}` : 'Сопоставлено всё'}</Fine>
          <VStack component="ul" gap={4}>
            {items.map((line) => (
              <HStack key={line.id} component="li" framed px={12} py={8} gap={12} wrap justify="space-between">
                <Block grow miw={200} className="breaks">
                  {line.outerName}
                  <Fine component="div">
                    {[matchKinds[line.kind], line.outerCode].filter(Boolean).join(', ')}
                    {line.suggestion && ` · похоже на «${line.suggestion.name}»: ${line.suggestion.why}`}
                  </Fine>
                </Block>
                <Badge
                  color={line.state === 'matched' ? 'teal' : line.state === 'left' ? 'gray' : 'yellow'}
                  variant="light"
                >
                  {matchStates[line.state]}
                </Badge>
                <Block grow miw={200} maw={320}>
                  <RefSelect
                    to={targets[line.kind]}
                    aria-label={`Наш ${line.kind === 'doctor' ? 'врач' : 'каталог'}: ${line.outerName}`}
                    placeholder={line.suggestion?.name ?? 'Выберите'}
                    value={line.ours?.id ?? null}
                    onChange={(ours) => void choose(line, ours)}
                  />
                </Block>
                {line.suggestion && (
                  <ActionButton
                    label="Верно"
                    size="compact-sm"
                    onClick={() => choose(line, line.suggestion?.id ?? null)}
                  />
                )}
                {line.state !== 'left' && (line.ours || !line.suggestion) && (
                  <ActionButton
                    label="Не продаём"
                    size="compact-sm"
                    variant="subtle"
                    onClick={() => choose(line, line.ours?.id ?? null, 'left')}
                  />
                )}
                {line.state === 'left' && (
                  <ActionButton
                    label="Продаём"
                    size="compact-sm"
                    variant="subtle"
                    onClick={() => choose(line, line.ours?.id ?? null, line.ours ? 'matched' : 'new')}
                  />
                )}
              </HStack>
            ))}
          </VStack>
        </>
      )}
      {adding && (
        <FormDialog
          title="Список площадки"
          action="Добавить"
          draft={{ kind: 'service' as MatchKind, text: '' }}
          required={{ text: 'Вставьте список' }}
          send={({ kind, text }) =>
            api('POST /booking-channels/:id/matches/lists', { params: { id }, body: { kind, text } })
          }
          done={again}
          onClose={() => setAdding(false)}
        >
          {({ choice, text }) => (
            <>
              <SegmentedControl
                fullWidth
                aria-label="Что в списке"
                data={[
                  { value: 'service', label: 'Услуги' },
                  { value: 'doctor', label: 'Врачи' },
                ]}
                {...choice('kind')}
              />
              <Textarea
                label="По одной строке"
                description="Название, через точку с запятой или табуляцию — код 804н"
                required
                autosize
                minRows={6}
                maxRows={14}
                {...text('text')}
              />
            </>
          )}
        </FormDialog>
      )}
    </VStack>
  )
}
