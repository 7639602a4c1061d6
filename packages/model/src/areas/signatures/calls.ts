import { z } from 'zod'
import { call, id, oneOf, rowOf } from '../../call.ts'
import { signaturesAccess, signingAccess } from './access.ts'
import {
  certificateKinds,
  certificatePurposes,
  MAX_CHECKED,
  SignatureCertificate,
  signatureStates,
} from './certificate.ts'

const MAX_BASE64 = Math.ceil(MAX_CHECKED / 3) * 4
/** Maximum characters of a certificate and of a signature. */
export const MAX_CERTIFICATE = 20_000
export const MAX_SIGNATURE = 60_000

export const base64 = (most: number, words: string) =>
  z
    .string()
    .min(1, words)
    .max(most, `Не больше ${most} знаков`)
    .refine((value) => /^[A-Za-z\d+/\s]+={0,2}\s*$/.test(value), `${words}`)

export const signer = z.object({
  owner: z.string(),
  thumbprint: z.string(),
  snils: z.string().nullable(),
  kind: oneOf(certificateKinds),
  dateTo: z.string(),
  /** The certificate in the clinic's list. */
  idCertificate: id.nullable(),
})

export const checked = z.object({
  state: oneOf(signatureStates),
  /** Reason of the state, in Russian. */
  words: z.string(),
  signer: signer.nullable(),
})

export const signaturesCalls = {
  state: call({
    method: 'GET',
    path: '/signatures/state',
    summary: 'Чем подписывают и может ли сервер проверить подпись ГОСТ',
    access: signingAccess,
    answer: z.object({ hasGost: z.boolean(), plugin: z.enum(['cryptopro', 'simulator']) }),
  }),
  add: call({
    method: 'POST',
    path: '/signatures/certificates/add',
    summary:
      'Добавить сертификат (base64 DER или PEM): владелец, сроки и издатель читаются из него. Свой добавляет и врач',
    access: signaturesAccess,
    body: z.strictObject({
      certificate: z.string().min(1, 'Нужен сертификат').max(MAX_CERTIFICATE, 'Это не сертификат: слишком велик'),
      purpose: oneOf(certificatePurposes).optional(),
      idUser: id.nullish(),
    }),
    status: 201,
    answer: rowOf(SignatureCertificate),
  }),
  verify: call({
    method: 'POST',
    path: '/signatures/verify',
    summary: 'Проверить отсоединённую подпись (CMS) файла. Без движка ГОСТ ответ — «не проверено»',
    access: signaturesAccess,
    body: z.strictObject({
      content: base64(MAX_BASE64, 'Нужен файл'),
      signature: base64(MAX_SIGNATURE, 'Нужна подпись'),
    }),
    answer: checked,
  }),
  simulated: call({
    method: 'GET',
    path: '/signatures/simulator/certificates',
    summary: 'Тестовые сертификаты имитатора: спрашивающего и клиники',
    access: signingAccess,
    answer: z.object({
      items: z.array(z.object({ thumbprint: z.string(), owner: z.string(), certificate: z.string() })),
    }),
  }),
  simulate: call({
    method: 'POST',
    path: '/signatures/simulator/sign',
    summary: 'Подпись имитатора «ТЕСТОВАЯ ПОДПИСЬ»; есть только там, где включён имитатор подписи',
    access: signingAccess,
    body: z.strictObject({
      thumbprint: z.string().max(40),
      content: base64(MAX_BASE64, 'Нужен файл'),
      /** Without a container, for XMLDSig. */
      raw: z.boolean().default(false),
    }),
    answer: z.object({ signature: z.string() }),
  }),
}
