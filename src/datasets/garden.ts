import { defineDataset } from "../model/dataset.ts";
import type { MessageType } from "../model/schema.ts";
import { always, field, packedList, schemaOf, textMap } from "../schema/declare.ts";

const plot: MessageType = {
  name: "garden.Plot",
  fields: [
    field(1, "plant", "string", always),
    field(2, "grown", "double", always),
    field(3, "size", "uint32", packedList),
    field(4, "crop", "uint32", textMap),
  ],
};

const goods: MessageType = {
  name: "garden.Goods",
  fields: [
    field(1, "name", "string", always),
    field(2, "price", "uint32", always),
    field(3, "off", "double", always),
  ],
};

const garden: MessageType = {
  name: "garden.Garden",
  fields: [
    field(1, "owner", "string", always),
    field(2, "level", "uint32", always),
    field(3, "open", "bool", always),
    field(4, "gate", "uint32", packedList),
    field(5, "plots", plot, textMap),
    field(6, "shop", goods, textMap),
    field(7, "bag", "uint32", textMap),
    field(8, "visits", "uint32", packedList),
  ],
};

const schema = schemaOf("garden", [garden, plot, goods]);

const PLACES = ["10,5", "10,6", "11,5", "11,6", "12,5", "12,6"];
const PLANTS = ["玫瑰", "百合", "牡丹", "菊花", "茉莉", "荷花"];
const GOODS = ["水壶", "肥料", "铲子", "种子", "花盆"];
const BAG = [20, 5, 12, 7, 30, 1, 64, 9];
const VISITS = [3, 17, 42, 8, 25, 61, 4, 33, 12, 90, 7, 56, 21, 5, 38, 74, 2, 47, 9, 80, 14, 66, 31, 1];

/**
 * The nested dictionary of game data of the published comparison of Python's pickle and AMF3 (Python 2). It was not
 * published itself; this one has its shape: keys that are numbers and coordinates, Chinese text, tuples, which are
 * lists here, one true, and dictionaries four deep with 88 leaves in all. As a dictionary of CPython 2.7 with `str`
 * keys, its `str()` is 1162 bytes (published: 1108) and protocol 1 of cPickle 843 (868); Py3AMF 0.9.1 makes AMF3 of
 * 604 (656).
 *
 * An object orders keys that are whole numbers by their value, before all others. Here they are in that order
 * already.
 */
export default defineDataset({
  story: "A nested dictionary of game data, in the shape of a published one: a garden, its plots and a shop.",
  schema,
  // The same plants, goods and counts in other places: every format takes the same bytes for them.
  make: (_size, index) => ({
    owner: "小明的花园",
    level: 12,
    open: true,
    gate: [120, 250],
    plots: Object.fromEntries(PLACES.map((place, i) => [place, plotOf((i + index) % PLANTS.length)])),
    shop: numberedFrom1(GOODS.map((_, i) => goodsOf((i + index) % GOODS.length))),
    bag: numberedFrom1(rotated(BAG, index)),
    visits: rotated(VISITS, index),
  }),
});

function plotOf(i: number) {
  return {
    plant: PLANTS[i] ?? "",
    grown: i % 2 === 0 ? 0.5 : 0.3,
    size: [i % 5 === 0 ? 5 : 6],
    crop: { "1": 3 + i, "2": 9 - i, "3": 20 + i },
  };
}

function goodsOf(i: number) {
  return { name: GOODS[i] ?? "", price: 15 + 10 * i, off: i % 2 === 0 ? 0.3 : 0.5 };
}

function rotated(numbers: readonly number[], by: number): number[] {
  return numbers.map((_, i) => numbers[(i + by) % numbers.length] ?? 0);
}

function numberedFrom1<Item>(items: readonly Item[]): Record<string, Item> {
  return Object.fromEntries(items.map((item, i) => [String(i + 1), item]));
}
