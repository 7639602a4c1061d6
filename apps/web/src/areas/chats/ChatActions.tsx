import { Menu, Textarea } from '@mantine/core'
import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { ChatGroup } from '@ordinator/model/areas/chats/chatSettings'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { User } from '@ordinator/model/areas/staff/user'
import {
  IconArchive,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBan,
  IconCircleCheck,
  IconClockPause,
  IconHandGrab,
  IconMessageReport,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { EndDialog } from '#areas/appeals/index.ts'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { useAccount } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { confirm } from '#kit/confirm.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { LateSelect } from '#kit/LateSelect.tsx'
import { notify } from '#kit/notify.tsx'
import { personName } from '#kit/UserAvatar.tsx'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useList } from '#records/reads.ts'
import { SnoozeDialog } from './SnoozeDialog.tsx'
import type { OpenChat } from './tabs.ts'
import classes from './thread.module.css'

const HOUR = 3_600_000
/** Option prefixes of a transfer: to the group's queue, to a group, to an employee. */
const QUEUE = 'queue'
const GROUP = 'group:'

/** Actions of a chat with hotkeys: A takes, E completes, S snoozes, T transfers, O creates an appeal. */
export function ChatActions({ chat }: { chat: OpenChat }) {
  const me = useAccount().user.identity.id
  const cache = useQueryClient()
  const [dialog, setDialog] = useState<'complete' | 'transfer' | 'snooze'>()
  const params = { id: chat.id }
  const owner = chat.status === 'active' && chat.handler === 'human' ? chat.idUser : null
  const mine = owner === me
  const open = chat.status === 'active'
  const owes = chat.dateNextStep !== null && chat.idOutcome === null
  const done = async (run: () => Promise<unknown>, success?: string) => {
    try {
      await run()
      if (success) notify.success(success)
    } catch (error) {
      notifyFailure(error as Error)
    }
    await invalidateRecords(cache, LiveAssist.path)
  }
  const take = () => done(() => api('POST /live-assist/:id/take', { params, body: { from: owner } }), 'Чат ваш')
  const snooze = (until: string | null, hard = false) =>
    done(
      () => api('POST /live-assist/:id/snooze', { params, body: { until, hard } }),
      !until
        ? 'Чат снова в работе'
        : hard
          ? 'Чат отложен: вернётся ко времени'
          : 'Чат отложен: вернётся с ответом или ко времени',
    )
  const ban = async () => {
    if (
      !chat.banned &&
      !(await confirm({
        title: 'Заблокировать посетителя?',
        message: 'Чат уйдёт в архив, а новые сообщения до вас не дойдут. Посетитель об этом не узнает.',
        confirm: 'Заблокировать',
        danger: true,
      }))
    )
      return
    await done(() => api('POST /live-assist/:id/ban', { params, body: { banned: !chat.banned } }))
  }

  const archive = async () => {
    const question = {
      title: 'Убрать чат в архив?',
      message: 'Вернуть его в работу будет нельзя: архив только читают.',
      confirm: 'В архив',
    }
    if (await confirm(question)) await done(() => api('POST /live-assist/:id/archive', { params }), 'Чат в архиве')
  }

  const go = useGo()
  const mayAppeal = useCan('create', Appeal)
  const appeal = async () => {
    try {
      const { id } = await api('POST /live-assist/:id/appeal', { params })
      void go({ page: 'appeals', search: { open: id } })
    } catch (error) {
      notifyFailure(error as Error)
    }
  }

  useHotkey('o', () => void appeal(), { label: 'Обращение из чата', group: 'Чат', enabled: mayAppeal })
  useHotkey('a', () => void take(), { label: 'Взять чат', group: 'Чат', enabled: open && !mine })
  useHotkey('e', () => setDialog('complete'), {
    label: 'Завершить чат',
    group: 'Чат',
    enabled: open && (mine || owner === null),
  })
  useHotkey('s', () => setDialog('snooze'), { label: 'Отложить чат', group: 'Чат', enabled: open && mine })
  useHotkey('t', () => setDialog('transfer'), { label: 'Передать чат', group: 'Чат', enabled: open })

  return (
    <div className={classes.actions}>
      {open && !mine && (
        <ActionButton
          label={owner === null ? 'Взять' : 'Забрать'}
          size="compact-md"
          icon={IconHandGrab}
          onClick={() => void take()}
          title="A"
        />
      )}
      {open && mine && (
        <ActionButton
          label="Завершить"
          size="compact-md"
          variant="default"
          icon={IconCircleCheck}
          onClick={() => setDialog('complete')}
          title="E"
        />
      )}
      {chat.status === 'completed' && (
        <ActionButton
          label="Вернуть"
          reverse
          size="compact-md"
          variant="default"
          icon={IconArrowBackUp}
          onClick={() => void done(() => api('POST /live-assist/:id/reopen', { params }))}
        />
      )}
      <ActionMenu label="Ещё действия с чатом" width={260}>
        {open && <MenuItem icon={IconArrowForwardUp} label="Передать…" onClick={() => setDialog('transfer')} />}
        {open && !mine && <MenuItem icon={IconCircleCheck} label="Завершить…" onClick={() => setDialog('complete')} />}
        {mayAppeal && <MenuItem icon={IconMessageReport} label="Обращение" onClick={() => void appeal()} />}
        {open && mine && (
          <>
            <Menu.Divider />
            <Menu.Label>Отложить, пока не ответит, или</Menu.Label>
            {chat.snoozedUntil ? (
              <MenuItem icon={IconClockPause} label="Вернуть в работу" onClick={() => void snooze(null)} />
            ) : (
              snoozes.map(([label, hours]) => (
                <MenuItem
                  key={label}
                  icon={IconClockPause}
                  label={label}
                  onClick={() => void snooze(new Date(Date.now() + hours * HOUR).toISOString())}
                />
              ))
            )}
            <MenuItem icon={IconClockPause} label="До другого времени…" onClick={() => setDialog('snooze')} />
            <Menu.Divider />
          </>
        )}
        {chat.status === 'archive' && owes && (
          <MenuItem icon={IconCircleCheck} label="Записать итог…" onClick={() => setDialog('complete')} />
        )}
        {chat.status === 'completed' && (
          <MenuItem icon={IconCircleCheck} label="Изменить итог…" onClick={() => setDialog('complete')} />
        )}
        {chat.status === 'completed' && !owes && (
          <MenuItem icon={IconArchive} label="В архив…" onClick={() => void archive()} />
        )}
        <MenuItem
          icon={IconBan}
          danger={!chat.banned}
          label={chat.banned ? 'Снять блокировку' : 'Заблокировать посетителя'}
          onClick={() => void ban()}
        />
      </ActionMenu>
      {dialog === 'complete' && <CompleteDialog chat={chat} onClose={() => setDialog(undefined)} />}
      {dialog === 'snooze' && <SnoozeDialog run={snooze} onClose={() => setDialog(undefined)} />}
      {dialog === 'transfer' && <TransferDialog chat={chat} onClose={() => setDialog(undefined)} />}
    </div>
  )
}

const snoozes = [
  ['На час', 1],
  ['На три часа', 3],
  ['До завтра', 24],
  ['На неделю', 7 * 24],
] as const

function CompleteDialog({ chat, onClose }: { chat: OpenChat; onClose: () => void }) {
  const cache = useQueryClient()
  return (
    <EndDialog
      title="Чем закончился разговор?"
      action="Завершить"
      before={chat}
      run={async (body) => {
        await api('POST /live-assist/:id/complete', { params: { id: chat.id }, body })
        await invalidateRecords(cache, LiveAssist.path)
      }}
      onClose={onClose}
    />
  )
}

function TransferDialog({ chat, onClose }: { chat: OpenChat; onClose: () => void }) {
  const cache = useQueryClient()
  const me = useAccount().user.identity.id
  const [to, setTo] = useState<string>(QUEUE)
  const [note, setNote] = useState('')
  const people = useList(
    User,
    { filter: { isLiveAssist: true, isActive: true }, limit: 100, sort: 'surname' },
    { forbidden: 'silent' },
  )
  const groups = useList(ChatGroup, { limit: 100, sort: 'name' }, { forbidden: 'silent' })
  const options = (people.data?.items ?? [])
    .filter(({ id }) => id !== chat.idUser || id !== me)
    .filter(({ id }) => id !== me)
    .map((one) => ({ value: String(one.id), label: `${personName(one)}${one.isOnline ? ' · на месте' : ''}` }))
  const groupOptions = (groups.data?.items ?? []).map(({ id, name }) => ({ value: `${GROUP}${id}`, label: name }))
  return (
    <ActionDialog
      title="Передать чат"
      action="Передать"
      size={480}
      run={async () => {
        await api('POST /live-assist/:id/transfer', {
          params: { id: chat.id },
          body: {
            ...(to.startsWith(GROUP)
              ? { idUser: null, idGroup: Number(to.slice(GROUP.length)) }
              : { idUser: to === QUEUE ? null : Number(to) }),
            ...(note.trim() ? { note: note.trim() } : {}),
          },
        })
        await invalidateRecords(cache, LiveAssist.path)
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <LateSelect
            label="Кому"
            data={[
              { value: QUEUE, label: 'В очередь: кто первый возьмёт' },
              ...(groupOptions.length > 0 ? [{ group: 'Группы', items: groupOptions }] : []),
              { group: 'Операторы', items: options },
            ]}
            value={to}
            pending={people.isPending || groups.isPending}
            error={errorOf('idUser') ?? errorOf('idGroup')}
            onChange={(value) => setTo(value ?? QUEUE)}
          />
          <Textarea
            label="Заметка"
            description="Что уже известно; посетитель её не видит"
            autosize
            minRows={2}
            maxLength={2000}
            value={note}
            error={errorOf('note')}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </>
      )}
    </ActionDialog>
  )
}
