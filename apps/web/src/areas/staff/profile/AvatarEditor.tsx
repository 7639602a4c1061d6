import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { upload } from '#base/apiUpload.ts'
import { session, useAccount } from '#base/session.ts'
import { part } from '#kit/chunk.ts'
import { confirm } from '#kit/confirm.ts'
import { FaceEditor } from '#kit/FaceEditor.tsx'
import { notify } from '#kit/notify.tsx'
import { UserAvatar } from '#kit/UserAvatar.tsx'

const AvatarCrop = part(() => import('./AvatarCrop.tsx'))

const rules = { extensions: ['jpg', 'jpeg', 'png', 'webp', 'gif'], maxSize: 10 * 1024 * 1024 }

/** Own picture: choose, crop, upload, or remove. */
export function AvatarEditor() {
  const { identity } = useAccount().user
  const [chosen, setChosen] = useState<File>()
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
  const askAndRemove = async () => {
    const message = 'Вернуть её будет нельзя: только загрузить заново.'
    if (await confirm({ title: 'Удалить фотографию?', message, confirm: 'Удалить', danger: true })) remove.mutate()
  }
  return (
    <>
      <FaceEditor rules={rules} onChoose={setChosen} onRemove={identity.avatar ? () => void askAndRemove() : undefined}>
        <UserAvatar user={identity} size={56} />
      </FaceEditor>
      {chosen && <AvatarCrop file={chosen} onCancel={() => setChosen(undefined)} onDone={send} />}
    </>
  )
}
