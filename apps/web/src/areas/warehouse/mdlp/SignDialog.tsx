import { MdlpDocument } from '@ordinator/model/areas/warehouse/mdlp'
import { useQueryClient } from '@tanstack/react-query'
import { SignDialog as Dialog, type ToSign } from '#areas/signatures/index.ts'
import { api } from '#base/api.ts'
import { invalidateRecords } from '#records/keys.ts'

const DOCUMENTS = ['документ МДЛП', 'документа МДЛП', 'документов МДЛП'] as const
const LOGIN = ['вход в МДЛП', 'входа в МДЛП', 'входов в МДЛП'] as const

interface Props {
  /** Documents to sign; empty: signs the sign-in itself. */
  ids: readonly number[]
  onClose: () => void
  onDone?: () => void
}

/** Signs МДЛП documents, or the sign-in, with the clinic's certificate on this computer. */
export function SignDialog({ ids, onClose, onDone }: Props) {
  const cache = useQueryClient()
  return (
    <Dialog
      items={ids.length === 0 ? [toSignIn()] : ids.map(toSign)}
      forms={ids.length === 0 ? LOGIN : DOCUMENTS}
      onSigned={async () => {
        await invalidateRecords(cache, MdlpDocument.path)
        onDone?.()
      }}
      onClose={onClose}
    />
  )
}

const toSign = (id: number): ToSign => ({
  key: String(id),
  title: `Документ МДЛП № ${id}`,
  purpose: 'organization',
  read: async () => (await api('GET /mdlp/documents/:id/content', { params: { id } })).content,
  take: (_content, signature) => api('POST /mdlp/documents/:id/sign', { params: { id }, body: { signature } }),
})

function toSignIn(): ToSign {
  let code = ''
  return {
    key: 'login',
    title: 'Вход в МДЛП',
    purpose: 'organization',
    async read() {
      const asked = await api('POST /mdlp/login/code', {})
      code = asked.code
      return asked.content
    },
    take: (_content, signature) => api('POST /mdlp/login', { body: { code, signature } }),
  }
}
