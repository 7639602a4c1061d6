import { Text, VisuallyHidden } from '@mantine/core'
import type { Entity } from '@ordinator/model/entity'
import { categoryLabels, categoryOf, extensionOf } from '@ordinator/model/files'
import { formatFileSize } from '@ordinator/model/format'
import { isPicture, shownInPlace } from '@ordinator/model/storedFile'
import { IconDownload, IconExternalLink, IconPhotoOff, IconPhotoStar, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime, formatHuman } from '#kit/clock.ts'
import { FileName } from '#kit/FileName.tsx'
import { fileIcon } from '#kit/fileIcon.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { personName } from '#kit/UserAvatar.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { useRemove } from '#records/writes.ts'
import classes from './Attachments.module.css'
import { type Attachment, downloadUrl, previewUrl } from './attachment.ts'

interface Props {
  /** The entity of the attachments. */
  links: Entity
  attachment: Attachment
  isCover: boolean
  mayEdit: boolean
  /** Opens the picture in the viewer. */
  onLook: () => void
  /** Absent: the record has no cover. */
  onCover?: (on: boolean) => Promise<void>
  /** Being removed; the tile disappears with the next list. */
}

/** A file of a record: name, size, author, date. */
export function AttachmentTile({ links, attachment, isCover, mayEdit, onLook, onCover }: Props) {
  const { file } = attachment
  const picture = isPicture(file.meta)
  // The content may differ from the name: `category` is detected from the content.
  const misnamed = categoryOf(extensionOf(file.name)) !== file.meta.category
  const remove = useRemove(links, {
    message: `Вложение «${file.name}» удалено`,
    // Undo restores the cover, too.
    onUndone: () => isCover && void onCover?.(true),
  })
  return (
    <li className={classes.tile}>
      <Thumb key={file.id} file={file} picture={picture} />
      <span className={classes.words}>
        <Opener file={file} picture={picture} onLook={onLook} />
        <HStack component="span" align="stretch" c="dimmed" fz="xs" lh="xs" miw={0} className="nowrap">
          {isCover && (
            <Text span inherit c="var(--ord-selected-text)" flex="none">
              Обложка
            </Text>
          )}
          {misnamed ? (
            <Text span inherit c="var(--ord-warning)" flex="none">
              {categoryLabels[file.meta.category]}
            </Text>
          ) : (
            <VisuallyHidden>{categoryLabels[file.meta.category]}</VisuallyHidden>
          )}
          <span className="tabular">{formatFileSize(file.size)}</span>
        </HStack>
        <HStack component="span" align="stretch" c="dimmed" fz="xs" lh="xs" miw={0} className="nowrap">
          <span className={classes.who}>
            <UserLink user={file.user ?? {}} />
          </span>
          <span className="tabular">{formatHuman(file.dateCreate)}</span>
        </HStack>
      </span>
      <IconButton
        icon={IconDownload}
        component="a"
        className={classes.action}
        href={downloadUrl(file)}
        download
        label={`Скачать «${file.name}»`}
        title="Скачать"
      />
      {mayEdit && (
        <ActionMenu label={`Действия с файлом «${file.name}»`} className={classes.action} width={240}>
          {shownInPlace(file.meta.type) && (
            <MenuItem
              label="Открыть в новой вкладке"
              component="a"
              href={file.url}
              target="_blank"
              rel="noopener"
              icon={IconExternalLink}
            />
          )}
          {picture && onCover && (
            <MenuItem
              label={isCover ? 'Убрать обложку' : 'Сделать обложкой'}
              icon={isCover ? IconPhotoOff : IconPhotoStar}
              onClick={() => void onCover(!isCover)}
            />
          )}
          <MenuItem
            label="Удалить"
            danger
            icon={IconTrash}
            onClick={() => {
              remove.mutate(attachment.id)
            }}
          />
        </ActionMenu>
      )}
    </li>
  )
}

type Stored = Attachment['file']

/**
 * Opens a file: pictures in the viewer, types the browser can show in a new tab; others are downloaded. Covers the
 * whole tile.
 */
function Opener({ file, picture, onLook }: { file: Stored; picture: boolean; onLook: () => void }) {
  const { name, size, url, meta, user, dateCreate } = file
  const common = {
    className: classes.opener,
    'data-open': true,
    title: `${name}\n${categoryLabels[meta.category]}, ${formatFileSize(size)}\n${personName(user ?? {})}, ${formatDateTime(dateCreate)}`,
  }
  if (picture)
    return (
      <button type="button" {...common} aria-label={`Посмотреть «${name}»`} onClick={onLook}>
        <FileName name={name} />
      </button>
    )
  if (shownInPlace(meta.type))
    return (
      <a {...common} href={url} target="_blank" rel="noopener" aria-label={`Открыть «${name}»`}>
        <FileName name={name} />
      </a>
    )
  return (
    <a {...common} href={downloadUrl(file)} download aria-label={`Сохранить «${name}»`}>
      <FileName name={name} />
    </a>
  )
}

function Thumb({ file, picture }: { file: Stored; picture: boolean }) {
  const [broken, setBroken] = useState(false)
  const Icon = fileIcon(file.meta.category)
  return (
    <span className={classes.thumb}>
      {picture && !broken ? (
        <img
          src={previewUrl(file, 'small')}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(true)}
        />
      ) : (
        <Icon size={24} stroke={1.5} aria-hidden />
      )}
    </span>
  )
}
