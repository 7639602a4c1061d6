import { Alert, List } from '@mantine/core'
import { User } from '@ordinator/model/areas/staff/user'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { FailedLoad } from '#kit/FailedLoad.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'

type Given = Answer<'POST /users/:id/duties'>
type Part = keyof Given['counts']

/** Labels are repeated here: the web imports only the type of a declared call. */
const labels: Record<Part, string> = {
  visits: 'Визиты впереди',
  chats: 'Открытые чаты',
  online: 'Диалоги с пациентами',
  appeals: 'Обращения',
  tasks: 'Открытые задачи',
  deals: 'Сделки в работе',
}
const parts = Object.keys(labels) as Part[]

interface Props {
  user: { id: number; shortFio: string }
  onClose: () => void
}

/** Transfers the duties of an employee who leaves, each part to a chosen successor. */
export function DutiesDialog({ user, onClose }: Props) {
  const cache = useQueryClient()
  const key = ['duties', user.id]
  const found = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api('GET /users/:id/duties', { params: { id: user.id } }, { signal, forbidden: 'silent' }),
  })
  const [to, setTo] = useState<Partial<Record<Part, number>>>({})
  const [stayed, setStayed] = useState<Given['stayed']>([])
  const counts = found.data?.counts
  const held = parts.filter((part) => (counts?.[part] ?? 0) > 0)
  const chosen = held.filter((part) => to[part] !== undefined)
  return (
    <ActionDialog
      title={`Передать дела: ${user.shortFio}`}
      action="Передать дела"
      size={520}
      disabled={held.length === 0}
      faults={{ to: chosen.length === 0 && 'Выберите, кому передать хотя бы одно' }}
      run={async () => {
        const given = await api(
          'POST /users/:id/duties',
          { params: { id: user.id }, body: { to: Object.fromEntries(chosen.map((part) => [part, to[part]])) } },
          { forbidden: 'silent' },
        )
        await Promise.all([
          cache.invalidateQueries({ queryKey: key }),
          cache.invalidateQueries({ queryKey: ['records'] }),
        ])
        const moved = parts.filter((part) => given.counts[part] > 0)
        if (moved.length)
          notify.success(
            `Передано: ${moved.map((part) => `${labels[part].toLowerCase()} — ${given.counts[part]}`).join(', ')}`,
          )
        setStayed(given.stayed)
        return given.stayed.length > 0 ? false : undefined
      }}
      onClose={onClose}
    >
      {(errorOf) =>
        found.isPending ? (
          <LinesSkeleton lines={5} />
        ) : found.isError ? (
          <FailedLoad load={found} />
        ) : held.length === 0 ? (
          <Muted>Передавать нечего: визитов, чатов, задач и сделок за сотрудником нет.</Muted>
        ) : (
          <VStack gap={12}>
            {held.map((part) => (
              <RefSelect
                key={part}
                to={User.path}
                label={`${labels[part]}: ${counts?.[part]}`}
                placeholder="Остаются за сотрудником"
                value={to[part] ?? null}
                error={errorOf(`to.${part}`) ?? (part === chosen[0] || chosen.length === 0 ? errorOf('to') : undefined)}
                onChange={(id) => setTo({ ...to, [part]: id ?? undefined })}
              />
            ))}
            {stayed.length > 0 && (
              <Alert color="yellow" variant="light" role="alert" title={`Не переданы: ${stayed.length}`}>
                <List size="sm">
                  {stayed.slice(0, 20).map(({ part, name, why }) => (
                    <List.Item key={`${part}${name}${why}`}>
                      {name}: {why}
                    </List.Item>
                  ))}
                </List>
              </Alert>
            )}
          </VStack>
        )
      }
    </ActionDialog>
  )
}
