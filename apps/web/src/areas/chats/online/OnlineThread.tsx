import { MAX_MESSAGE } from '@ordinator/model/areas/chats/liveAssist'
import {
  EDIT_MINUTES,
  OnlineDialog,
  OnlineMessage,
  onlineStatuses,
  paidStates,
} from '@ordinator/model/areas/chats/online'
import type { Expanded } from '@ordinator/model/client'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { useAccount } from '#base/session.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatTime } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { UserLink } from '#kit/UserLink.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useEndlessList } from '#records/reads.ts'
import { Bubble, Delivery, MessageFiles } from '../Bubble.tsx'
import messageClasses from '../message.module.css'
import { TalkThread, useReading } from '../TalkThread.tsx'
import classes from '../thread.module.css'
import { OnlineActions } from './OnlineActions.tsx'
import { OnlineComposer } from './OnlineComposer.tsx'
import type { OpenDialog } from './openDialog.ts'

const PORTION = 40

type Line = Expanded<typeof OnlineMessage, 'user' | 'files.file'>

interface Props {
  dialog: OpenDialog
  onClose: () => void
  onAbout: (() => void) | undefined
}

/** Messages with a patient, and the composer. */
export function OnlineThread({ dialog, onClose, onAbout }: Props) {
  const me = useAccount().user.identity.id
  const name = dialog.customer?.fio ?? 'Пациент'
  const list = useEndlessList(
    OnlineMessage,
    { filter: { idDialog: dialog.id }, expand: ['user', 'files.file'], sort: '-seq', limit: PORTION },
    { forbidden: 'silent', live: [{ path: OnlineDialog.path, id: dialog.id, fields: ['deliveredOut', 'readOut'] }] },
  )
  useReading(
    dialog.idUser === me && dialog.inCount > dialog.readIn && dialog.status !== 'closed',
    dialog.inCount,
    (no) => api('POST /service-online/:id/read', { params: { id: dialog.id }, body: { no } }, { quiet: true }),
  )
  const foreign = dialog.idUser !== null && dialog.idUser !== me
  return (
    <TalkThread
      label={`Диалог: ${name}`}
      name={name}
      state={
        <>
          {onlineStatuses[dialog.status]},{' '}
          {dialog.idUser === me ? (
            'отвечаете вы'
          ) : dialog.user ? (
            <>
              отвечает <UserLink user={dialog.user} />
            </>
          ) : (
            'никто не отвечает'
          )}
          {dialog.paidState && `, ${paidStates[dialog.paidState].toLowerCase()}`}
        </>
      }
      list={list}
      lines={list.items.toReversed().map((line) => ({
        key: String(line.id),
        dateCreate: line.dateCreate,
        line: <MessageLine line={line} me={me} />,
      }))}
      back="К списку диалогов"
      about="О пациенте"
      onClose={onClose}
      onAbout={onAbout}
      actions={<OnlineActions dialog={dialog} me={me} />}
    >
      {dialog.status === 'closed' ? (
        <p className={classes.system}>{dialog.closeReason ?? 'Диалог закрыт'}</p>
      ) : (
        <OnlineComposer key={dialog.id} id={dialog.id} disabled={foreign} onSent={() => void list.refetch()} />
      )}
    </TalkThread>
  )
}

function MessageLine({ line, me }: { line: Line; me: number }) {
  const cache = useQueryClient()
  const [editing, setEditing] = useState(false)
  if (line.author === 'system') return <p className={classes.system}>{line.text}</p>
  const isOurs = line.author === 'staff'
  const mayChange =
    line.idUser === me && line.dateRemoved === null && Date.now() - Date.parse(line.dateCreate) < EDIT_MINUTES * 60_000
  const params = { id: line.id }
  const remove = async () => {
    const message = 'У пациента вместо него останется пометка. Вернуть сообщение будет нельзя.'
    if (!(await confirm({ title: 'Удалить сообщение?', message, confirm: 'Удалить', danger: true }))) return
    try {
      await api('POST /service-online/messages/:id/remove', { params })
    } catch (error) {
      notifyFailure(error as Error)
    }
    await invalidateRecords(cache, OnlineMessage.path)
  }
  return (
    <Bubble
      side={isOurs ? 'out' : 'in'}
      tone={isOurs ? 'staff' : 'visitor'}
      author={isOurs && line.user && <UserLink user={line.user} />}
      foot={
        <>
          {line.dateEdited && !line.dateRemoved && 'изменено · '}
          {formatTime(line.dateCreate)}
          {isOurs && <Delivery state={line.state} />}
          {mayChange && (
            <ActionMenu label="Что сделать с сообщением" icon={IconDots}>
              <MenuItem label="Изменить" icon={IconPencil} onClick={() => setEditing(true)} />
              <MenuItem label="Удалить" icon={IconTrash} onClick={() => void remove()} />
            </ActionMenu>
          )}
        </>
      }
    >
      {(line.dateRemoved || line.text) && (
        <p className={messageClasses.words}>{line.dateRemoved ? <i>Сообщение удалено</i> : line.text}</p>
      )}
      <MessageFiles files={line.files} />
      {editing && (
        <WordsDialog
          title="Изменить сообщение"
          label="Сообщение"
          initial={line.text}
          required
          max={MAX_MESSAGE}
          action="Сохранить"
          onClose={() => setEditing(false)}
          run={async (text) => {
            await api('POST /service-online/messages/:id/edit', { params, body: { text } })
            await invalidateRecords(cache, OnlineMessage.path)
          }}
        />
      )}
    </Bubble>
  )
}
