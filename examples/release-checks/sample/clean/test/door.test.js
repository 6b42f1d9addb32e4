test('the door is closed', () => {});
