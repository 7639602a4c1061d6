import { Semd } from '@ordinator/model/areas/egisz/semd'
import type { Row } from '@ordinator/model/entity'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SignDialog as Dialog, type ToSign } from '#areas/signatures/index.ts'
import { api } from '#base/api.ts'
import { invalidateRecords } from '#records/keys.ts'

export type SemdRow = Row<typeof Semd>

const FORMS = ['документ', 'документа', 'документов'] as const

/** Signs one or several documents, each with the due signer's role. */
export function SignDialog({ rows, onClose }: { rows: readonly SemdRow[]; onClose: () => void }) {
  const cache = useQueryClient()
  const [items] = useState(() => rows.flatMap(toSign))
  return <Dialog items={items} forms={FORMS} onSigned={() => invalidateRecords(cache, Semd.path)} onClose={onClose} />
}

function toSign({ id, title, dueRole }: SemdRow): ToSign[] {
  if (!dueRole) return []
  const params = { id }
  let digest = ''
  return [
    {
      key: String(id),
      title,
      purpose: dueRole,
      async read() {
        const answer = await api('GET /egisz/semds/:id/content', { params })
        digest = answer.digest
        return answer.content
      },
      take: (_, signature) => api('POST /egisz/semds/:id/sign', { params, body: { role: dueRole, digest, signature } }),
    },
  ]
}
