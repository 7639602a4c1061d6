import { Dictionary, DictionarySynonym, DictionaryTerm } from './dictionary.ts'
import { Examination, ExaminationAttachment, ExaminationFile } from './examination.ts'
import { ExaminationTemplate, ExaminationTemplateVersion } from './template.ts'

/** Entities of this area. */
export const entities = [
  Dictionary,
  DictionarySynonym,
  DictionaryTerm,
  ExaminationTemplate,
  ExaminationTemplateVersion,
  Examination,
  ExaminationFile,
  ExaminationAttachment,
] as const
