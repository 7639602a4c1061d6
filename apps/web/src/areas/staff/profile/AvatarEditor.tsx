import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconCamera, IconTrash, IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { api } from '../../../base/api.ts'
import { errorMessage } from '../../../base/apiError.ts'
import { upload } from '../../../base/apiUpload.ts'
import { loadChunk } from '../../../base/chunk.ts'
import { session, useAccount } from '../../../base/session.ts'
import { MenuItem } from '../../../kit/ActionMenu.tsx'
import { acceptOf, checkFiles } from '../../../kit/fileRules.ts'
import { notify } from '../../../kit/notify.tsx'
import { UserAvatar } from '../../../kit/UserAvatar.tsx'
import classes from './Profile.module.css'

const AvatarCrop = lazy(() => loadChunk(() => import('./AvatarCrop.tsx')))

const rules = { extensions: ['jpg', 'jpeg', 'png', 'webp', 'gif'], maxSize: 10 * 1024 * 1024 }

/** The own picture: choose, crop, send; or take it away. */
export function AvatarEditor() {
  const { identity } = useAccount().user
  const [chosen, setChosen] = useState<File>()
  const input = useRef<HTMLInputElement>(null)
  const params = { id: identity.id }
  const send = async (cropped: Blob) => {
    const form = new FormData()
    form.append('originalFile', chosen as File)
    form.append('croppedFile', cropped, 'avatar.png')
    await upload('POST /users/:id/avatar', { params, body: form })
    await session.reload()
    notify.success('Фотография обновлена')
  }
  const remove = useMutation({
    mutationFn: () => api('DELETE /users/:id/avatar', { params }, { forbidden: 'toast' }),
    onSuccess: () => session.reload(),
    onError: (error) => notify.error(errorMessage(error), { title: 'Не удалось удалить аватар пользователя' }),
  })
  const take = (file: File | undefined) => {
    if (!file) return
    const { accepted, errors } = checkFiles([file], rules)
    if (errors[0]) notify.error(errors[0])
    setChosen(accepted[0])
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
          <UnstyledButton className={classes.avatar}>
            <VisuallyHidden>Изменить фотографию</VisuallyHidden>
            <UserAvatar user={identity} size={56} />
            <span className={classes.camera}>
              <IconCamera size={14} aria-hidden />
            </span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItem label="Загрузить фотографию" icon={IconUpload} onClick={() => input.current?.click()} />
          {identity.avatar && <MenuItem label="Удалить фотографию" icon={IconTrash} onClick={() => remove.mutate()} />}
        </Menu.Dropdown>
      </Menu>
      {chosen && (
        <Suspense>
          <AvatarCrop file={chosen} onCancel={() => setChosen(undefined)} onDone={send} />
        </Suspense>
      )}
    </>
  )
}
