import { extensionOf } from '@ordinator/model/files'
import { counted, formatFileSize } from '@ordinator/model/format'

/** Rules for selected files. The server checks again, by content. */
export interface FileRules {
  /** Extensions without dots; absent: any. */
  extensions?: readonly string[]
  /** Bytes. */
  maxSize?: number
  /** Bytes, default 1: an empty file is refused. */
  minSize?: number
  /** Maximum total number; `already` of them exist. */
  maxCount?: number
  already?: number
}

export interface CheckedFiles {
  accepted: File[]
  /** One sentence per refusal. */
  errors: string[]
}

export function checkFiles(files: readonly File[], rules: FileRules): CheckedFiles {
  const accepted: File[] = []
  const errors: string[] = []
  const room = (rules.maxCount ?? Number.POSITIVE_INFINITY) - (rules.already ?? 0)
  for (const file of files) {
    const fault = fileFault(file, rules)
    if (fault) errors.push(`«${file.name}»: ${fault}`)
    else accepted.push(file)
  }
  if (accepted.length > room)
    errors.push(`Можно добавить не больше ${counted(rules.maxCount ?? 0, ['файла', 'файлов', 'файлов'])}`)
  return { accepted: accepted.slice(0, Math.max(0, room)), errors }
}

function fileFault(file: File, { extensions, maxSize, minSize = 1 }: FileRules): string | undefined {
  if (extensions && !extensions.includes(extensionOf(file.name)))
    return `неподдерживаемый тип файла, подойдут ${extensions.join(', ')}`
  if (maxSize !== undefined && file.size > maxSize)
    return `размер ${formatFileSize(file.size)} превышает допустимый (${formatFileSize(maxSize)})`
  if (file.size < minSize) return file.size === 0 ? 'файл пуст' : 'недопустимый размер файла'
  return undefined
}

/** 'png, jpg до 100 МБ', for the hint below the field. */
export function rulesText({ extensions, maxSize }: FileRules): string {
  return [extensions?.join(', '), maxSize === undefined ? '' : `до ${formatFileSize(maxSize)}`]
    .filter(Boolean)
    .join(' ')
}

/** Value of `accept` of an input. */
export function acceptOf({ extensions }: FileRules): string | undefined {
  return extensions?.map((extension) => `.${extension}`).join(',')
}
