/** Parts of sheets for the signing dialog. */
import type { CertificatePurpose } from '@ordinator/model/areas/signatures/certificate'
import type { ToSign } from '#areas/signatures/index.ts'
import { api } from '#base/api.ts'
import { type PartState, toast } from './leave.ts'

export const PARTS = ['часть листа', 'части листов', 'частей листов'] as const

const purposes = {
  doctor: 'doctor',
  chairman: 'commission',
  organization: 'organization',
} as const satisfies Record<PartState['purpose'], CertificatePurpose>

/** @param about the patient's name, when signing several sheets */
export const partToSign = (
  id: number,
  { key, title, purpose, bytes }: Pick<PartState, 'key' | 'title' | 'purpose' | 'bytes'>,
  about = '',
): ToSign => ({
  key: `${id} ${key}`,
  title: about ? `${about}: ${title.toLowerCase()}` : title,
  purpose: purposes[purpose],
  isRaw: true,
  read: async () => bytes,
  async take(content, signature, thumbprint) {
    const { refused } = await api(
      'POST /eln/sign',
      { body: { parts: [{ id, key, bytes: content, signature, thumbprint }] } },
      toast,
    )
    if (refused[0]) throw new Error(refused[0].message)
  },
})
