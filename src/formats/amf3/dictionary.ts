/**
 * A dictionary whose keys are held weakly by the program that it is for (section 3.16). Here it holds them as any
 * Map does; a plain Map is written as a dictionary with strong keys.
 */
export class WeakDictionary extends Map<unknown, unknown> {}
