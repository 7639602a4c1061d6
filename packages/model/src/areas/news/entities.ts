import { News, NewsComment, NewsFile, NewsImage, NewsIntake, NewsRead } from './news.ts'

/** Entities of this area. */
export const entities = [NewsIntake, News, NewsFile, NewsImage, NewsRead, NewsComment] as const
