import type { FileCategory } from '@ordinator/model/files'
import {
  IconFile,
  IconFileCode,
  IconFileMusic,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypeCss,
  IconFileTypeHtml,
  IconFileTypeJs,
  IconFileTypePdf,
  IconFileWord,
  IconFileZip,
  IconMovie,
  IconPhoto,
  IconPresentation,
  type TablerIcon,
} from '@tabler/icons-react'

const icons: Record<FileCategory | 'other', TablerIcon> = {
  image: IconPhoto,
  audio: IconFileMusic,
  video: IconMovie,
  document: IconFileWord,
  excel: IconFileSpreadsheet,
  text: IconFileText,
  exe: IconFileCode,
  pdf: IconFileTypePdf,
  archive: IconFileZip,
  presentation: IconPresentation,
  js: IconFileTypeJs,
  html: IconFileTypeHtml,
  css: IconFileTypeCss,
  other: IconFile,
}

/** Icon of a file category. */
export const fileIcon = (category: FileCategory | 'other'): TablerIcon => icons[category] ?? IconFile
