/** File categories by extension (spec §9). The server determines the extension by content; the web, before the upload, by name. */

const extensions = {
  image: [
    'jpg',
    'jpeg',
    'png',
    'gif',
    'webp',
    'avif',
    'bmp',
    'svg',
    'tif',
    'tiff',
    'heic',
    'heif',
    'ico',
    'jxl',
    'psd',
  ],
  audio: ['mp3', 'wav', 'ogg', 'oga', 'opus', 'm4a', 'aac', 'flac', 'wma', 'amr', 'mid', 'aif', 'aiff'],
  video: ['mp4', 'm4v', 'webm', 'mkv', 'mov', 'avi', 'wmv', 'mpg', 'mpeg', 'flv', '3gp', 'ogv'],
  document: ['doc', 'docx', 'docm', 'odt', 'rtf', 'pages', 'epub'],
  excel: ['xls', 'xlsx', 'xlsm', 'ods', 'csv', 'numbers'],
  text: ['txt', 'md', 'log', 'json', 'xml', 'yaml', 'yml', 'ini', 'ics', 'vcf'],
  exe: [
    'exe',
    'msi',
    'bat',
    'cmd',
    'com',
    'sh',
    'ps1',
    'apk',
    'deb',
    'rpm',
    'dmg',
    'jar',
    'elf',
    'macho',
    'dll',
    'scr',
    'vbs',
  ],
  pdf: ['pdf'],
  archive: ['zip', 'rar', '7z', 'tar', 'gz', 'bz2', 'xz', 'zst', 'lz', 'cab'],
  presentation: ['ppt', 'pptx', 'pptm', 'odp', 'key'],
  js: ['js', 'mjs', 'cjs', 'ts', 'jsx', 'tsx'],
  html: ['html', 'htm', 'xhtml', 'mhtml'],
  css: ['css', 'scss', 'less'],
} as const

export type FileCategory = keyof typeof extensions

export const fileCategories = Object.keys(extensions) as FileCategory[]

export const categoryLabels: Record<FileCategory | 'other', string> = {
  image: 'Изображение',
  audio: 'Аудио',
  video: 'Видео',
  document: 'Документ',
  excel: 'Таблица',
  text: 'Текст',
  exe: 'Программа',
  pdf: 'PDF',
  archive: 'Архив',
  presentation: 'Презентация',
  js: 'Скрипт',
  html: 'Веб-страница',
  css: 'Стили',
  other: 'Файл',
}

const byExtension = new Map<string, FileCategory>(
  Object.entries(extensions).flatMap(([category, list]) => list.map((e) => [e, category as FileCategory] as const)),
)

/** The category of an extension without its dot; `other` for an unknown one. */
export const categoryOf = (extension: string): FileCategory | 'other' =>
  byExtension.get(extension.toLowerCase()) ?? 'other'

/** The part after the last dot of a name, in lower case; '' without one. A leading dot does not count. */
export function extensionOf(name: string): string {
  const at = name.lastIndexOf('.')
  const extension = at > 0 ? name.slice(at + 1).toLowerCase() : ''
  return /^[a-z0-9]{1,16}$/.test(extension) ? extension : ''
}
