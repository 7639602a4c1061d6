import { Select } from '@mantine/core'
import { OnlineDialog, onlineKinds } from '@ordinator/model/areas/chats/online'
import { User } from '@ordinator/model/areas/staff/user'
import { Task } from '@ordinator/model/areas/tasks/task'
import { IconArrowForwardUp, IconCircleCheck, IconHandGrab, IconListCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { TaskFromDialog } from '#areas/tasks/index.ts'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { LateSelect } from '#kit/LateSelect.tsx'
import { personName } from '#kit/UserAvatar.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useList } from '#records/reads.ts'
import type { OpenDialog } from './openDialog.ts'

const QUEUE = 'queue'

/** Actions of a dialogue: take, transfer, create a task, close. */
export function OnlineActions({ dialog, me }: { dialog: OpenDialog; me: number }) {
  const cache = useQueryClient()
  const [opened, setOpened] = useState<'transfer' | 'close' | 'task'>()
  const mayTask = useCan('create', Task)
  const [to, setTo] = useState<string | null>(null)
  const [kind, setKind] = useState<string>(dialog.kind)
  const params = { id: dialog.id }
  const users = useList(
    User,
    { filter: { isBlocked: false }, sort: ['surname', 'id'], limit: 200 },
    { enabled: opened === 'transfer' },
  )
  const again = () => invalidateRecords(cache, OnlineDialog.path)
  if (dialog.status === 'closed') return null
  const take = async () => {
    try {
      await api('POST /service-online/:id/take', { params, body: { from: dialog.idUser } })
    } catch (error) {
      notifyFailure(error as Error)
    }
    await again()
  }
  return (
    <>
      {dialog.idUser !== me && <IconButton icon={IconHandGrab} label="Взять диалог" onClick={() => void take()} />}
      {mayTask && <IconButton icon={IconListCheck} label="Задача из диалога" onClick={() => setOpened('task')} />}
      {dialog.paidState === null && (
        <IconButton icon={IconArrowForwardUp} label="Передать диалог" onClick={() => setOpened('transfer')} />
      )}
      <IconButton icon={IconCircleCheck} label="Закрыть диалог" onClick={() => setOpened('close')} />
      {opened === 'transfer' && (
        <ActionDialog
          title="Передать диалог"
          action="Передать"
          onClose={() => setOpened(undefined)}
          run={async () => {
            await api('POST /service-online/:id/transfer', {
              params,
              body: { idUser: to === QUEUE || to === null ? null : Number(to), kind: kind as keyof typeof onlineKinds },
            })
            await again()
          }}
        >
          {(errorOf) => (
            <>
              <LateSelect
                label="Кому"
                pending={users.isPending}
                data={[
                  { value: QUEUE, label: 'Вернуть в очередь' },
                  ...(users.data?.items ?? []).map((user) => ({ value: String(user.id), label: personName(user) })),
                ]}
                value={to}
                onChange={setTo}
                error={errorOf('idUser')}
              />
              <Select
                label="Пациент пишет"
                description="Разговор с врачом видят только этот врач и старший смены"
                data={Object.entries(onlineKinds).map(([value, label]) => ({ value, label }))}
                value={kind}
                allowDeselect={false}
                onChange={(value) => value && setKind(value)}
                error={errorOf('kind')}
              />
            </>
          )}
        </ActionDialog>
      )}
      {opened === 'task' && (
        <TaskFromDialog
          title="Задача из диалога"
          name={dialog.lastMessage?.split('\n')[0] ?? ''}
          note="Задача попадёт в колонку новых; пациент будет в её списке клиентов."
          make={(body) => api('POST /service-online/:id/task', { params, body }, { forbidden: 'toast' })}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened === 'close' && (
        <WordsDialog
          title="Закрыть диалог"
          label="Чем закончился разговор"
          description={
            dialog.paidState === 'paid'
              ? 'Ответа ещё не было: деньги вернутся пациенту. Причину он не увидит'
              : 'Пациент этого не увидит'
          }
          required
          max={300}
          action="Закрыть"
          onClose={() => setOpened(undefined)}
          run={async (reason) => {
            await api('POST /service-online/:id/close', { params, body: { reason } })
            await again()
          }}
        />
      )}
    </>
  )
}
