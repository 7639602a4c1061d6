import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconCamera, IconTrash, IconUpload } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { MenuItem } from './ActionMenu.tsx'
import classes from './FaceEditor.module.css'
import { acceptOf, checkFiles, type FileRules } from './fileRules.ts'
import { notify } from './notify.tsx'

interface Props {
  rules: FileRules
  /** The current avatar. */
  children: ReactNode
  onChoose: (file: File) => void
  /** Absent: there is no photo to remove. */
  onRemove?: () => void
}

/** An avatar with a menu to replace or remove the photo. */
export function FaceEditor({ rules, children, onChoose, onRemove }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const take = (file: File | undefined) => {
    if (!file) return
    const { accepted, errors } = checkFiles([file], rules)
    if (errors[0]) notify.error(errors[0])
    if (accepted[0]) onChoose(accepted[0])
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={acceptOf(rules)}
        onChange={(event) => {
          take(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      <Menu position="bottom-start">
        <Menu.Target>
          <UnstyledButton className={classes.face}>
            <VisuallyHidden>Изменить фотографию</VisuallyHidden>
            {children}
            <span className={classes.camera}>
              <IconCamera size={14} aria-hidden />
            </span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItem label="Загрузить фотографию" icon={IconUpload} onClick={() => input.current?.click()} />
          {onRemove && <MenuItem label="Удалить фотографию" icon={IconTrash} onClick={onRemove} />}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
