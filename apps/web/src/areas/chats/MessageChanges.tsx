import { holds } from '@ordinator/model/access'
import { unrevisable } from '@ordinator/model/areas/chats/chatSettings'
import { ChatMessageVersion, MAX_MESSAGE } from '@ordinator/model/areas/chats/liveAssist'
import { chatSourceLabel } from '@ordinator/model/areas/chats/source'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { useAccount, useActor } from '#base/session.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FileName } from '#kit/FileName.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { useList } from '#records/reads.ts'
import classes from './message.module.css'
import type { Line, OpenChat } from './tabs.ts'

/** Marks a changed message, with its former texts. */
export function Revised({ message }: { message: Line }) {
  const [shown, setShown] = useState(false)
  const supervises = holds(useActor(), 'superviseLiveAssist')
  if (!message.dateEdited && !message.dateRemoved) return null
  if (message.dateRemoved && !supervises) return null
  return (
    <>
      <button type="button" className={classes.revised} onClick={() => setShown(true)}>
        {message.dateRemoved ? 'что было' : 'изменено'}
      </button>
      {' · '}
      {shown && <Versions message={message} onClose={() => setShown(false)} />}
    </>
  )
}

function Versions({ message, onClose }: { message: Line; onClose: () => void }) {
  const list = useList(
    ChatMessageVersion,
    { filter: { idMessage: message.id }, sort: 'id', limit: 100, expand: ['files.file'] },
    { forbidden: 'silent' },
  )
  return (
    <Dialog title={message.dateRemoved ? 'Удалённое сообщение' : 'Прежний текст'} onClose={onClose}>
      {list.isPending ? (
        <LinesSkeleton lines={3} />
      ) : list.isError ? (
        <ErrorState title="Прежний текст не загрузился" error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data.items.length === 0 ? (
        <EmptyState title="Прежнего текста нет" />
      ) : (
        <VStack gap={12}>
          {list.data.items.map((version) => (
            <VStack key={version.id} gap={2}>
              <Fine>до {formatDateTime(version.dateCreate)}</Fine>
              {version.text && <p className={classes.words}>{version.text}</p>}
              {version.files.map(
                ({ file }) =>
                  file && (
                    <a key={file.id} href={`${file.url}?download`}>
                      <FileName name={file.name} />
                    </a>
                  ),
              )}
            </VStack>
          ))}
        </VStack>
      )}
    </Dialog>
  )
}

/** The author's actions on a sent message, as far as the channel allows. */
export function MessageMenu({ message, chat }: { message: Line; chat: OpenChat }) {
  const me = useAccount().user.identity.id
  const supervises = holds(useActor(), 'superviseLiveAssist')
  const answers = holds(useActor(), 'supportOperator')
  const [asked, setAsked] = useState<'edit' | 'remove'>()
  const isMine = message.idUser === me
  if (message.kind !== 'staff' || message.dateRemoved || chat.status === 'archive' || !answers) return null
  if (!isMine && !supervises) return null
  const source = chat.source ?? ''
  const isFixed = unrevisable.has(source) && message.idExternal !== null
  const why = isFixed ? `${chatSourceLabel(source)} не даёт менять отправленное` : undefined
  const close = () => setAsked(undefined)
  return (
    <>
      <ActionMenu label="Что сделать с сообщением" variant="subtle" size="xs" className={classes.lineMenu}>
        {isMine && <MenuItem icon={IconPencil} label="Изменить" disabled={isFixed} onClick={() => setAsked('edit')} />}
        <MenuItem icon={IconTrash} label="Удалить" danger disabled={isFixed} onClick={() => setAsked('remove')} />
        {why && <p className={classes.why}>{why}</p>}
      </ActionMenu>
      {asked === 'edit' && (
        <WordsDialog
          title="Изменить сообщение"
          label="Сообщение"
          description="Посетитель увидит новый текст с пометкой «изменено»"
          required={message.files.length === 0}
          max={MAX_MESSAGE}
          initial={message.message}
          action="Изменить"
          failed="Сообщение не изменилось"
          run={(words) =>
            api(
              'POST /live-assist/messages/:id/edit',
              { params: { id: message.id }, body: { message: words } },
              { forbidden: 'silent' },
            )
          }
          onClose={close}
        />
      )}
      {asked === 'remove' && (
        <ActionDialog
          title="Удалить сообщение?"
          action="Удалить"
          danger
          failed="Сообщение не удалилось"
          run={() =>
            api('POST /live-assist/messages/:id/remove', { params: { id: message.id } }, { forbidden: 'silent' })
          }
          onClose={close}
        >
          {() => (
            <p>У посетителя и в чате вместо него останется пометка. Прежний текст смогут прочитать старшие смены.</p>
          )}
        </ActionDialog>
      )}
    </>
  )
}
