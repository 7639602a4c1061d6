/** Signing on this computer: КриптоПро, or the demo's simulator. Private keys never leave it. */

export interface FoundCertificate {
  /** SHA-1, 40 upper-case hexadecimal digits. */
  thumbprint: string
  owner: string
  /** base64 of DER, or PEM. */
  certificate: string
}

export interface SigningPlugin {
  name: string
  /** @throws SigningError if signing is impossible here */
  certificates(): Promise<FoundCertificate[]>
  /** A detached CMS signature, base64. @param content base64 @throws SigningError */
  sign(thumbprint: string, content: string): Promise<string>
  /**
   * A signature without a container, for XMLDSig: s and r of ГОСТ Р 34.10-2012, big-endian (RFC 9215), base64.
   * @param content base64 @throws SigningError
   */
  signRaw(thumbprint: string, content: string): Promise<string>
}

/** Why signing failed, and what to do, in Russian. */
export class SigningError extends Error {
  override name = 'SigningError'
  readonly mend: string
  /** The user declined: not an error. */
  readonly isRefusal: boolean
  constructor(message: string, mend: string, isRefusal = false) {
    super(message)
    this.mend = mend
    this.isRefusal = isRefusal
  }
}

type Words = readonly [pattern: RegExp, message: string, mend: string, isRefusal?: true]

/** Error codes and messages of CAPICOM, CAdES and КриптоПро CSP (crypto-pro #8, #48, #146, crypto-pro-js #20). */
const known: readonly Words[] = [
  [
    /0x000004C7|операция была отменена|cancel(?:led|ed) by the user/i,
    'Вы отменили подписание',
    'Подпишите снова и нажмите «Да» в окне КриптоПро',
    true,
  ],
  [
    /0x80070057|параметр задан неверно/i,
    'Плагин не смог подписать',
    'Обновите КриптоПро ЭЦП Browser plug-in до 2.0.13771 или новее; если он новый — введите пароль ключа и отметьте «Запомнить»',
  ],
  [
    /0x8009000D|0x8009001[69]|набор ключей не (?:определен|существует)/i,
    'Ключ этого сертификата не найден',
    'Вставьте токен или флешку с ключом и повторите',
  ],
  [/0x8010006E|0x8010006B|0x8009000F/i, 'Пароль ключа не подошёл', 'Проверьте раскладку и введите пароль снова'],
  [
    /0x800B010A|0x800B0109|цепочк/i,
    'Корневой сертификат не установлен',
    'Установите корневой сертификат удостоверяющего центра в «Доверенные корневые»',
  ],
  [
    /0x800B0101|срок действия/i,
    'Сертификат не действует в этот день',
    'Проверьте дату на компьютере и срок сертификата',
  ],
  [/0x80090010|0x8007065B|лицензи/i, 'Закончилась лицензия КриптоПро CSP', 'Откройте КриптоПро CSP и введите лицензию'],
  [
    /нет доступа к сертификатам|доступ (?:был )?запрещ|0x80070005/i,
    'Браузер не получил доступа к сертификатам',
    'Разрешите доступ этому сайту в окне КриптоПро',
    true,
  ],
  [
    /недоступна|not (?:loaded|installed)|плагин не|cadesplugin/i,
    'КриптоПро ЭЦП Browser plug-in не отвечает',
    'Установите плагин и расширение браузера, затем обновите страницу',
  ],
]

const wordsOf = ({ message }: Error): string => message

/** Explains an error of the plugin. */
export function signingError(error: unknown): SigningError {
  if (error instanceof SigningError) return error
  const words = error instanceof Error ? wordsOf(error) : `${error}`
  const found = known.find(([pattern]) => pattern.test(words))
  if (found) return new SigningError(found[1], found[2], found[3])
  const code = /0x[\dA-F]{8}/i.exec(words)?.[0]
  return new SigningError(
    `Не удалось подписать${code ? ` (${code})` : ''}`,
    'Проверьте КриптоПро на странице проверки плагина; если не помогло — передайте код администратору',
  )
}
