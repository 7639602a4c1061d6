import { Anchor, Group, Skeleton, TextInput } from '@mantine/core'
import { BoardResource } from '@ordinator/model/areas/tasks/board'
import { TaskUpload as StoredFile } from '@ordinator/model/areas/tasks/file'
import { checkBody } from '@ordinator/model/check'
import type { Row } from '@ordinator/model/entity'
import { formatFileSize } from '@ordinator/model/format'
import { MAX_FILE } from '@ordinator/model/storedFile'
import {
  IconDownload,
  IconFolder,
  IconLink,
  IconMail,
  IconPencil,
  IconPhone,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { UploadTile } from '#areas/files/index.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { saveFile } from '#base/saveFile.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FilePicker, useFileDrop } from '#kit/FilePicker.tsx'
import { fileIcon } from '#kit/fileIcon.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useEndlessList } from '#records/reads.ts'
import { uploads } from '#records/uploads.ts'
import { useUploads } from '#records/useUploads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import type { BoardRow } from '../board/useBoardData.ts'
import classes from './ResourcesPanel.module.css'

interface Props {
  board: BoardRow
  mayEdit: boolean
  onClose: () => void
}

type ResourceRow = Row<typeof BoardResource> & { file: Row<typeof StoredFile> | null }
const rules = { maxSize: MAX_FILE }
const PAGE = 50
const MAX_NAME = 255

/** Shared links and files of a workspace. */
export default function ResourcesPanel({ board, mayEdit, onClose }: Props) {
  const client = useQueryClient()
  const [editing, setEditing] = useState<number | 'new'>()
  const list = useEndlessList(
    BoardResource,
    { filter: { idBoard: board.id }, expand: ['file'], sort: 'name', limit: PAGE },
    { forbidden: 'silent' },
  )
  const items = list.items
  const key = `board:${board.id}`
  const sending = useUploads(key)
  const add = (files: File[]) =>
    uploads.add(
      {
        key,
        stored: StoredFile,
        whereToLook: 'Откройте материалы пространства, чтобы повторить.',
        async take(file) {
          const name = String(file.name).slice(0, MAX_NAME)
          await records.create(BoardResource, { name, idBoard: board.id, idFile: file.id })
          await invalidateRecords(client, BoardResource.path)
        },
      },
      files,
    )
  const drop = useFileDrop({ ...rules, onFiles: add, disabled: !mayEdit })
  return (
    <SidePanel opened onClose={onClose} title="Материалы">
      <div {...drop.props} className={classes.panel} data-over={drop.over || undefined}>
        {mayEdit && (
          <HStack align="stretch" wrap mb={16}>
            <ActionButton
              label="Добавить ссылку"
              variant="default"
              icon={IconPlus}
              onClick={() => setEditing(editing === 'new' ? undefined : 'new')}
            />
            <FilePicker multiple onFiles={add} {...rules}>
              Загрузить файл
            </FilePicker>
          </HStack>
        )}
        {editing === 'new' && <ResourceForm idBoard={board.id} onClose={() => setEditing(undefined)} />}
        {sending.length > 0 && (
          <VStack component="ul" mb={12}>
            {sending.map((one) => (
              <UploadTile key={one.id} upload={one} />
            ))}
          </VStack>
        )}
        {list.isPending ? (
          <VStack aria-busy="true">
            {[0, 1, 2].map((i) => (
              <Skeleton key={i} height={44} />
            ))}
          </VStack>
        ) : list.isError && items.length === 0 ? (
          <ErrorState title="Материалы не загрузились" error={list.error} onRetry={() => void list.refetch()} />
        ) : items.length === 0 && editing !== 'new' && sending.length === 0 ? (
          <EmptyState
            icon={IconFolder}
            title="Материалов пока нет"
            text={
              mayEdit
                ? 'Добавьте ссылку или перетащите сюда файлы: регламенты, шаблоны, контакты.'
                : 'Их добавляет тот, кто ведёт пространство.'
            }
          />
        ) : (
          <ul>
            {items.map((resource) =>
              editing === resource.id ? (
                <li key={resource.id}>
                  <ResourceForm idBoard={board.id} resource={resource} onClose={() => setEditing(undefined)} />
                </li>
              ) : (
                <ResourceItem
                  key={resource.id}
                  resource={resource}
                  mayEdit={mayEdit}
                  onEdit={() => setEditing(resource.id)}
                />
              ),
            )}
          </ul>
        )}
        {list.hasNextPage && (
          <ActionButton
            label="Показать ещё"
            variant="default"
            mt={12}
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          />
        )}
      </div>
    </SidePanel>
  )
}

function ResourceItem({ resource, mayEdit, onEdit }: { resource: ResourceRow; mayEdit: boolean; onEdit: () => void }) {
  const { name, url, file } = resource
  const remove = useRemove(BoardResource, { message: `Удалено: «${name}»` })
  const Icon = file ? fileIcon(file.meta.category) : iconOf(url ?? '')
  const href = file ? file.url : (url ?? undefined)
  return (
    <HStack component="li" gap={4} rule="top" py={4} mih={52}>
      <Icon size={20} stroke={1.5} className={classes.icon} aria-hidden />
      <VStack component="span" gap={0} grow>
        {href ? (
          <Anchor
            href={href}
            target={href.startsWith('tel:') || href.startsWith('mailto:') ? undefined : '_blank'}
            rel="noopener noreferrer"
            className={classes.name}
          >
            {name}
          </Anchor>
        ) : (
          <span className={classes.name}>{name}</span>
        )}
        <Fine truncate title={url ?? undefined}>
          {file ? formatFileSize(file.size) : url ? shownUrl(url) : 'Файл удалён'}
        </Fine>
      </VStack>
      {file && (
        <IconButton
          icon={IconDownload}
          label={`Скачать «${name}»`}
          title="Скачать"
          onClick={() => void saveFile(`${file.url}?download=1`, file.name)}
        />
      )}
      {mayEdit && (
        <>
          <IconButton icon={IconPencil} label={`Изменить «${name}»`} title="Изменить" onClick={onEdit} />
          <IconButton
            icon={IconTrash}
            label={`Удалить «${name}»`}
            title="Удалить"
            onClick={() => remove.mutate(resource.id)}
          />
        </>
      )}
    </HStack>
  )
}

/** Name; for a link also the URL. */
function ResourceForm({
  idBoard,
  resource,
  onClose,
}: {
  idBoard: number
  resource?: ResourceRow
  onClose: () => void
}) {
  const save = useSave(BoardResource, { toast: false })
  const [name, setName] = useState(resource?.name ?? '')
  const [url, setUrl] = useState(resource?.url ?? '')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const isFile = Boolean(resource?.file)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    const body = { name: name.trim() || (isFile ? '' : shownUrl(url)), ...(isFile ? {} : { url: url.trim() }) }
    const checked = checkBody(BoardResource, resource ? body : { ...body, idBoard }, resource ? 'update' : 'create')
    if (checked.errors) return setErrors(Object.fromEntries(checked.errors.map((e) => [e.field, e.message])))
    if (!isFile && !body.url) return setErrors({ url: 'Обязательное поле' })
    save.mutate(resource ? { id: resource.id, ...body } : { ...body, idBoard }, {
      onSuccess: onClose,
      onError: (error) =>
        setErrors(error instanceof ApiError && error.fields ? error.byField : { name: errorMessage(error) }),
    })
  }
  return (
    <VStack
      component="form"
      framed
      mb={12}
      p={12}
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && cancel(event, onClose)}
    >
      {!isFile && (
        <TextInput
          label="Ссылка"
          placeholder="https://"
          withAsterisk
          autoFocus
          value={url}
          error={errors.url}
          onChange={(event) => {
            setUrl(event.currentTarget.value)
            setErrors({})
          }}
        />
      )}
      <TextInput
        label="Название"
        placeholder={isFile ? undefined : 'Если пусто — адрес ссылки'}
        maxLength={MAX_NAME}
        value={name}
        error={errors.name}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setErrors({})
        }}
      />
      <Group gap={8} justify="flex-end">
        <ActionButton label="Отмена" size="compact-md" variant="default" onClick={onClose} />
        <ActionButton
          label={resource ? 'Сохранить' : 'Добавить'}
          size="compact-md"
          type="submit"
          loading={save.isPending}
        />
      </Group>
    </VStack>
  )
}

/** Escape closes the form, not the panel around it. */
function cancel(event: { stopPropagation: () => void }, onClose: () => void): void {
  event.stopPropagation()
  onClose()
}

const iconOf = (url: string) => (url.startsWith('tel:') ? IconPhone : url.startsWith('mailto:') ? IconMail : IconLink)

/** URL without the scheme, for display. */
const shownUrl = (url: string): string =>
  url
    .trim()
    .replace(/^(https?:\/\/|ftp:\/\/|tel:|mailto:)/i, '')
    .slice(0, MAX_NAME)
